import { localizeFinding } from '@compliance/core/pixel';
import type { FindingCounts, FindingVerdict, ScanSummary, Shop, StoredFinding } from '@compliance/store/shop';
import type { Translation } from '@compliance/translations';
import { latestCheckOf } from '../browser-check/browser-check.ts';
import { pageAt } from '../lib/paging.ts';
import type { FileFix, FileLocation, FindingDetail, FindingOrigin, NoFix } from '../scan/model/types.ts';
import { SCAN } from '../scan/scan-job.ts';
import { isWatching, THEME_WATCH } from '../scan/theme-watch-job.ts';
import { causeIn, localizedRuleOf, ruleTitleIn, translationFor } from '../translation/translation.ts';
import { FINDINGS_PAGE_SIZE, type FindingsQuery, filterOf } from './query.ts';

/** Finding in the findings list. Times are in milliseconds since the Unix epoch. */
export interface FindingListItem {
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly title: string;
  readonly severity: StoredFinding['severity'];
  readonly message: string;
  /** Language of the message. English if the message isn't translated. */
  readonly messageLanguage: string;
  /** The finding's file and line, or the finding's page if no file is known. */
  readonly place: string | null;
  readonly places: number;
  readonly firstSeen: number;
  readonly regressed: boolean;
  readonly fixedAt: number | null;
  /** Verdict of the latest browser check, or null if there's no verdict or only an outdated refutation. */
  readonly verdict: FindingVerdict | null;
}

/** Content of the findings list. */
export interface FindingsView {
  readonly timeZone: string;
  readonly rows: readonly FindingListItem[];
  readonly next: string | null;
  readonly counts: FindingCounts;
  /** Filter options with the number of open findings that match each option. The selected option is always included. */
  readonly rules: readonly { readonly ruleId: string; readonly title: string; readonly count: number }[];
  readonly places: readonly { readonly place: string; readonly count: number }[];
  readonly asked: FindingsQuery;
  /**
   * Whether the store has been scanned. Before the first scan, an empty list doesn't mean that the store has no
   * problems.
   */
  readonly scanned: boolean;
  /** Number of problems that the latest browser check found only in the storefront's traffic. */
  readonly traffic: number;
}

/**
 * Returns a page of the findings list. Returns the first page if the cursor is invalid.
 *
 * @param requested language of the request. The language in the shop's settings takes precedence.
 */
export async function findingsOf(
  shop: Shop,
  asked: FindingsQuery,
  requested: string | null = null,
): Promise<FindingsView> {
  const filter = filterOf(asked);
  const [record, counts, latest, { seen }, page] = await Promise.all([
    shop.record(),
    shop.findings.counts(),
    shop.scans.latest(),
    latestCheckOf(shop),
    pageAt(asked.cursor, cursor => shop.findings.list({ ...filter, limit: FINDINGS_PAGE_SIZE, cursor })),
  ]);
  const translation = translationFor(record?.settings.locale ?? requested);
  const titleOf = (ruleId: string) => ruleTitleIn(ruleId, translation);
  return {
    timeZone: record?.timeZone ?? 'UTC',
    rows: page.rows.map(row => rowOf(row, translation)),
    next: page.next,
    counts,
    rules: withSelected(
      counts.byRule.map(({ ruleId, count }) => ({ ruleId, count, title: titleOf(ruleId) })),
      asked.rule && { ruleId: asked.rule, count: 0, title: titleOf(asked.rule) },
      ({ ruleId }) => ruleId,
    ),
    places: withSelected(counts.byPlace, asked.place && { place: asked.place, count: 0 }, ({ place }) => place),
    asked,
    scanned: latest !== null,
    traffic: seen?.traffic.length ?? 0,
  };
}

/** Adds the selected filter option if no open finding matches it, so that the page shows the selection. */
const withSelected = <T>(
  choices: readonly T[],
  asked: T | '' | undefined,
  nameOf: (choice: T) => string,
): readonly T[] => (asked && !choices.some(choice => nameOf(choice) === nameOf(asked)) ? [...choices, asked] : choices);

/** Converts a finding to a row of the findings list, in the given language. */
export function rowOf(known: StoredFinding, translation: Translation): FindingListItem {
  const { finding, files, pages } = known.detail as FindingDetail;
  const { fingerprint, ruleId, severity, firstSeen, fixedAt, regressedAt } = known;
  const { message, message_language: messageLanguage } = localizeFinding(finding, translation);
  return {
    ...{ fingerprint, ruleId, severity, firstSeen, fixedAt },
    title: ruleTitleIn(ruleId, translation),
    ...{ message, messageLanguage },
    place: files[0] ? placeOf(files[0]) : (pages[0] ?? null),
    places: Math.max(files.length, pages.length),
    regressed: regressedAt !== null && known.status === 'open',
    verdict: known.status === 'open' ? verdictOf(known) : null,
  };
}

/** Returns a finding's verdict, or null if there's no verdict or only an outdated refutation. */
const verdictOf = ({ verdict, refuted }: StoredFinding): FindingVerdict | null =>
  verdict === null || (verdict.is === 'refuted' && !refuted) ? null : verdict.is;

const placeOf = ({ name, line }: FileLocation): string => (line === null ? name : `${name}:${line}`);

/** Theme file with a link to the theme editor. */
interface FileLink extends FileLocation {
  readonly editorUrl: string;
}

/** Details of one finding. */
export interface FindingView extends FindingListItem {
  readonly timeZone: string;
  /** Language of the rule's title and descriptions. */
  readonly language: string;
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
  /** Verdict and time of the latest browser check, or null. `expired` means that a refutation is outdated. */
  readonly browser: { readonly is: FindingVerdict | 'expired'; readonly at: number } | null;
  /** Whether a scan is queued or running. */
  readonly rechecking: boolean;
  /**
   * Fix for an open finding in a theme file, or the reason that there's no fix. Null for findings that aren't open or
   * aren't in a theme file.
   */
  readonly fix: FileFix | NoFix | null;
  /** Whether the app watches the theme and rechecks the finding when a file changes. */
  readonly watching: boolean;
  /**
   * Result of the latest scan, or null if no scan has run since the finding was first seen. `not_read` means that the
   * scan couldn't read all locations of the finding, so the finding might be fixed.
   */
  readonly checked: { readonly is: 'fixed' | 'still_there' | 'not_read'; readonly at: number } | null;
}

/**
 * Returns a shop's finding, or null if the shop has no finding with this fingerprint.
 *
 * @param requested language of the request. The language in the shop's settings takes precedence.
 */
export async function findingOf(
  shop: Shop,
  fingerprint: string,
  requested: string | null = null,
): Promise<FindingView | null> {
  const [known, record, job, watch, latest] = await Promise.all([
    shop.findings.get(fingerprint),
    shop.record(),
    shop.jobs.latest(SCAN),
    shop.jobs.latest(THEME_WATCH),
    shop.scans.latest(),
  ]);
  if (!known) return null;
  const { finding, files, pages, origin, context, fix } = known.detail as FindingDetail;
  const translation = translationFor(record?.settings.locale ?? requested);
  const meta = localizedRuleOf(known.ruleId, translation);
  const store = shop.domain.replace(/\.myshopify\.com$/, '');
  return {
    ...rowOf(known, translation),
    timeZone: record?.timeZone ?? 'UTC',
    language: translation.locale,
    status: known.status,
    lastSeen: known.lastSeen,
    regressedAt: known.regressedAt,
    accepted: known.accepted,
    acceptance: known.acceptance,
    snippet: finding.snippet,
    ids: finding.ids,
    what: meta?.what ?? '',
    why: meta?.why ?? '',
    steps: sentencesOf(localizeFinding(finding, translation).fix, translation.locale),
    sources: meta?.sources ?? [],
    pages: pages.map(path => ({ path, url: record?.primaryHost ? `https://${record.primaryHost}${path}` : null })),
    files: files.map(file => ({
      ...file,
      editorUrl: `https://admin.shopify.com/store/${store}/themes/${file.themeId}?key=${encodeURIComponent(file.name)}`,
    })),
    origin,
    context: causeIn(context, translation),
    escalatesOn: finding.escalates_on,
    browser:
      known.status === 'open' && known.verdict ? { is: verdictOf(known) ?? 'expired', at: known.verdict.at } : null,
    rechecking: job?.state === 'queued' || job?.state === 'running',
    // For a finding that isn't open, the fix would show lines that are no longer in the file.
    fix: known.status === 'open' ? (fix ?? null) : null,
    watching: isWatching(watch),
    checked: latest && checkedBy(latest, known),
  };
}

/** Returns a scan's result for a finding. */
function checkedBy({ finishedAt: at }: ScanSummary, known: StoredFinding): FindingView['checked'] {
  if (known.status === 'fixed') return { is: 'fixed', at: known.fixedAt ?? at };
  if (at <= known.firstSeen) return null;
  return { is: known.lastSeen >= at ? 'still_there' : 'not_read', at };
}

/** Splits text into sentences. A period within a name, such as `gtm.js`, doesn't end a sentence. */
function sentencesOf(text: string, language: string): string[] {
  const segments = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text);
  return [...segments].map(({ segment }) => segment.trim()).filter(segment => segment !== '');
}
