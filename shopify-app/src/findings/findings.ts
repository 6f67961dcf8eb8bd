import { driftRules, pageRules, type RuleMeta } from '@compliance/core/pixel';
import type { FindingCounts, Shop, StoredFinding } from '@compliance/store/shop';
import { pageAt } from '../lib/paging.ts';
import type { FileLocation, FindingDetail, FindingOrigin } from '../scan/model/types.ts';
import { SCAN } from '../scan/scan-job.ts';
import { FINDINGS_PAGE_SIZE, type FindingsQuery, filterOf } from './query.ts';

const META = new Map<string, RuleMeta>([...pageRules, ...driftRules].map(({ meta }) => [meta.id, meta]));

/** Returns the rule title, or the rule ID if this release no longer includes the rule. */
export const ruleTitleOf = (ruleId: string): string => META.get(ruleId)?.title ?? ruleId;

/** Finding in the findings list. Times are in milliseconds since the Unix epoch. */
export interface FindingListItem {
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly title: string;
  readonly severity: StoredFinding['severity'];
  readonly message: string;
  /** The finding's file and line, or the finding's page if no file is known. */
  readonly place: string | null;
  readonly places: number;
  readonly firstSeen: number;
  readonly regressed: boolean;
  readonly fixedAt: number | null;
}

/** Content of the findings list. */
export interface FindingsView {
  readonly timeZone: string;
  readonly rows: readonly FindingListItem[];
  readonly next: string | null;
  readonly counts: FindingCounts;
  /** Filter choices with the number of open findings that match each choice. The selected choice is always included. */
  readonly rules: readonly { readonly ruleId: string; readonly title: string; readonly count: number }[];
  readonly places: readonly { readonly place: string; readonly count: number }[];
  readonly asked: FindingsQuery;
  /**
   * Whether the store has been scanned. Before the first scan, an empty list doesn't mean that the store has no
   * problems.
   */
  readonly scanned: boolean;
}

/** Returns a page of the findings list. Returns the first page if the cursor is invalid. */
export async function findingsOf(shop: Shop, asked: FindingsQuery): Promise<FindingsView> {
  const filter = filterOf(asked);
  const [record, counts, latest, page] = await Promise.all([
    shop.record(),
    shop.findings.counts(),
    shop.scans.latest(),
    pageAt(asked.cursor, cursor => shop.findings.list({ ...filter, limit: FINDINGS_PAGE_SIZE, cursor })),
  ]);
  return {
    timeZone: record?.timeZone ?? 'UTC',
    rows: page.rows.map(rowOf),
    next: page.next,
    counts,
    rules: withSelected(
      counts.byRule.map(({ ruleId, count }) => ({ ruleId, count, title: ruleTitleOf(ruleId) })),
      asked.rule && { ruleId: asked.rule, count: 0, title: ruleTitleOf(asked.rule) },
      ({ ruleId }) => ruleId,
    ),
    places: withSelected(counts.byPlace, asked.place && { place: asked.place, count: 0 }, ({ place }) => place),
    asked,
    scanned: latest !== null,
  };
}

/**
 * Keeps a selected filter as a choice even if no open finding matches it, so that the page shows the selection.
 */
const withSelected = <T>(
  choices: readonly T[],
  asked: T | '' | undefined,
  nameOf: (choice: T) => string,
): readonly T[] => (asked && !choices.some(choice => nameOf(choice) === nameOf(asked)) ? [...choices, asked] : choices);

/** Converts a finding to a row of the findings list. */
export function rowOf(known: StoredFinding): FindingListItem {
  const { finding, files, pages } = known.detail as FindingDetail;
  const { fingerprint, ruleId, severity, firstSeen, fixedAt, regressedAt } = known;
  return {
    ...{ fingerprint, ruleId, severity, firstSeen, fixedAt },
    title: ruleTitleOf(ruleId),
    message: finding.message,
    place: files[0] ? placeOf(files[0]) : (pages[0] ?? null),
    places: Math.max(files.length, pages.length),
    regressed: regressedAt !== null && known.status === 'open',
  };
}

const placeOf = ({ name, line }: FileLocation): string => (line === null ? name : `${name}:${line}`);

/** Theme file with a link to the theme editor. */
interface FileLink extends FileLocation {
  readonly editorUrl: string;
}

/** Details of one finding. */
export interface FindingView extends FindingListItem {
  readonly timeZone: string;
  readonly status: StoredFinding['status'];
  readonly lastSeen: number;
  readonly regressedAt: number | null;
  readonly accepted: boolean;
  readonly acceptance: StoredFinding['acceptance'];
  readonly snippet: string;
  readonly ids: readonly string[];
  readonly what: string;
  readonly why: string;
  /** Steps to fix the problem, one sentence per step. */
  readonly steps: readonly string[];
  readonly sources: readonly string[];
  readonly pages: readonly { readonly path: string; readonly url: string | null }[];
  readonly files: readonly FileLink[];
  readonly origin: FindingOrigin;
  readonly context: string | null;
  readonly escalatesOn: string | null;
  /** Whether a scan is queued or running. */
  readonly rechecking: boolean;
}

/** Returns a shop's finding, or null if the shop has no finding with this fingerprint. */
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

/** Splits text into sentences. Abbreviations and names with periods don't end a sentence. */
function sentencesOf(text: string): string[] {
  const segments = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
  return [...segments].map(({ segment }) => segment.trim()).filter(segment => segment !== '');
}
