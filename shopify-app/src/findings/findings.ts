import { driftRules, pageRules, type RuleMeta } from '@compliance/core/pixel';
import type { FindingCounts, KnownFinding, Shop } from '@compliance/store';
import { pageAt } from '../paging.ts';
import { SCAN } from '../scan/scan-job.ts';
import type { FileLocation, FindingDetail, FindingOrigin } from '../scan/types.ts';
import { type Asked, filterOf, PAGE_SIZE } from './filter.ts';

const META = new Map<string, RuleMeta>([...pageRules, ...driftRules].map(({ meta }) => [meta.id, meta]));

/** The title of a rule; its id for one that this release no longer has. */
export const titleOf = (ruleId: string): string => META.get(ruleId)?.title ?? ruleId;

/** A finding in the list. Times are ms since epoch. */
export interface FindingRow {
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly title: string;
  readonly severity: KnownFinding['severity'];
  readonly message: string;
  /** The file and line, or the page. */
  readonly place: string | null;
  readonly places: number;
  readonly firstSeen: number;
  readonly regressed: boolean;
  readonly fixedAt: number | null;
}

/** What the list shows. */
export interface FindingsView {
  readonly timeZone: string;
  readonly rows: readonly FindingRow[];
  readonly next: string | null;
  readonly counts: FindingCounts;
  /** What can be chosen: what is open, with how often, and what was asked for. */
  readonly rules: readonly { readonly ruleId: string; readonly title: string; readonly count: number }[];
  readonly places: readonly { readonly place: string; readonly count: number }[];
  readonly asked: Asked;
  /** Whether the store was ever scanned: an empty list means nothing before that. */
  readonly scanned: boolean;
}

/** A page of the list. A cursor that leads nowhere gives the first page. */
export async function findingsOf(shop: Shop, asked: Asked): Promise<FindingsView> {
  const filter = filterOf(asked);
  const [record, counts, latest, page] = await Promise.all([
    shop.record(),
    shop.findings.counts(),
    shop.scans.latest(),
    pageAt(asked.cursor, cursor => shop.findings.list({ ...filter, limit: PAGE_SIZE, cursor })),
  ]);
  return {
    timeZone: record?.timeZone ?? 'UTC',
    rows: page.rows.map(rowOf),
    next: page.next,
    counts,
    rules: withAsked(
      counts.byRule.map(({ ruleId, count }) => ({ ruleId, count, title: titleOf(ruleId) })),
      asked.rule && { ruleId: asked.rule, count: 0, title: titleOf(asked.rule) },
      ({ ruleId }) => ruleId,
    ),
    places: withAsked(counts.byPlace, asked.place && { place: asked.place, count: 0 }, ({ place }) => place),
    asked,
    scanned: latest !== null,
  };
}

/** A choice that was made stays one, though nothing open has it: a list would else say that nothing was chosen. */
const withAsked = <T>(choices: readonly T[], asked: T | '' | undefined, nameOf: (choice: T) => string): readonly T[] =>
  asked && !choices.some(choice => nameOf(choice) === nameOf(asked)) ? [...choices, asked] : choices;

/** A known finding as one row. */
export function rowOf(known: KnownFinding): FindingRow {
  const { finding, files, pages } = known.detail as FindingDetail;
  const { fingerprint, ruleId, severity, firstSeen, fixedAt, regressedAt } = known;
  return {
    ...{ fingerprint, ruleId, severity, firstSeen, fixedAt },
    title: titleOf(ruleId),
    message: finding.message,
    place: files[0] ? placeOf(files[0]) : (pages[0] ?? null),
    places: Math.max(files.length, pages.length),
    regressed: regressedAt !== null && known.status === 'open',
  };
}

const placeOf = ({ name, line }: FileLocation): string => (line === null ? name : `${name}:${line}`);

/** A file of the theme, with the way into the editor. */
interface FileLink extends FileLocation {
  readonly editorUrl: string;
}

/** Everything about one finding. */
export interface FindingView extends FindingRow {
  readonly timeZone: string;
  readonly status: KnownFinding['status'];
  readonly lastSeen: number;
  readonly regressedAt: number | null;
  readonly accepted: boolean;
  readonly acceptance: KnownFinding['acceptance'];
  readonly snippet: string;
  readonly ids: readonly string[];
  readonly what: string;
  readonly why: string;
  /** What to do, sentence by sentence. */
  readonly steps: readonly string[];
  readonly sources: readonly string[];
  readonly pages: readonly { readonly path: string; readonly url: string | null }[];
  readonly files: readonly FileLink[];
  readonly origin: FindingOrigin;
  readonly context: string | null;
  readonly escalatesOn: string | null;
  /** Whether a scan waits or runs. */
  readonly rechecking: boolean;
}

/** One finding of a shop, or null when the shop has none of this fingerprint. */
export async function findingOf(shop: Shop, fingerprint: string): Promise<FindingView | null> {
  const [known, record, job] = await Promise.all([
    shop.findings.get(fingerprint),
    shop.record(),
    shop.jobs.latest(SCAN),
  ]);
  if (!known) return null;
  const { finding, files, pages, origin, context } = known.detail as FindingDetail;
  const meta = META.get(known.ruleId);
  const store = shop.domain.replace(/\.myshopify\.com$/, '');
  return {
    ...rowOf(known),
    timeZone: record?.timeZone ?? 'UTC',
    status: known.status,
    lastSeen: known.lastSeen,
    regressedAt: known.regressedAt,
    accepted: known.accepted,
    acceptance: known.acceptance,
    snippet: finding.snippet,
    ids: finding.ids,
    what: meta?.what ?? '',
    why: meta?.why ?? '',
    steps: sentencesOf(finding.fix),
    sources: meta?.sources ?? [],
    pages: pages.map(path => ({ path, url: record?.primaryHost ? `https://${record.primaryHost}${path}` : null })),
    files: files.map(file => ({
      ...file,
      editorUrl: `https://admin.shopify.com/store/${store}/themes/${file.themeId}?key=${encodeURIComponent(file.name)}`,
    })),
    origin,
    context,
    escalatesOn: finding.escalates_on,
    rechecking: job?.state === 'queued' || job?.state === 'running',
  };
}

/** The sentences of a text, as steps; abbreviations and names with dots do not end one. */
function sentencesOf(text: string): string[] {
  const segments = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
  return [...segments].map(({ segment }) => segment.trim()).filter(segment => segment !== '');
}
