import { JOURNEY_STEPS } from '@compliance/core/pixel';
import type { Scanner, ScanRenderer, StorefrontScan } from '@compliance/crawler';
import { waitUntil } from '@compliance/store/jobs';
import type { FindingVerdict, NewRendering, RenderingState, Shop } from '@compliance/store/shop';
import type { JobContext, JobHandler } from '../../jobs/job.ts';
import { scriptOf, storeFingerprint } from '../findings/fingerprint.ts';
import { RENDER, type RenderingDetail, wantsRendering } from '../model/rendering.ts';
import type { FindingDetail } from '../model/types.ts';
import { storeScore } from '../store-score.ts';
import { readStorefrontPage } from '../storefront/read-storefront-page.ts';
import { type RenderingReading, readRendering } from './read-rendering.ts';

/** Job dependencies, apart from the shop. */
export interface RenderDeps {
  readonly scanner: Scanner;
  readonly renderScan: ScanRenderer;
  readonly clock: () => number;
}

/** Result of a `render` job in the `done` state. */
interface RenderOutcome {
  readonly state: RenderingState | 'off';
}

/**
 * Delay, in milliseconds, before a job checks again whether the browser is free or the shop's rate limit allows a
 * request.
 */
const WAIT_MS = { browser: 15_000, rate: 60_000 };

/**
 * Maximum number of open findings whose verdicts are counted. A scan never reports more than this number of findings.
 */
const MAX_FINDINGS = 1_000;

const VERDICTS: readonly FindingVerdict[] = ['confirmed', 'unseen', 'refuted'];

/**
 * Creates the job that opens a shop's home page in the isolated browser, continues with a shopping journey, and records
 * which open findings the traffic confirms or refutes. Each process runs one browser check at a time. A job that is
 * waiting for the browser doesn't occupy a slot. If the storefront can't be opened, for example because it's password
 * protected, the job records the check as `unseen`.
 */
export function renderJob({ scanner, renderScan, clock }: RenderDeps): JobHandler {
  let isBusy = false;
  return {
    kind: RENDER,
    async run(context: JobContext) {
      const { job, merchant, signal } = context;
      const { shop, domain } = merchant;
      const record = await shop.record();
      if (!wantsRendering(record)) return { state: 'off' } satisfies RenderOutcome;
      if (isBusy) return waitUntil(clock() + WAIT_MS.browser);
      isBusy = true;
      try {
        const startedAt = clock();
        const asOf = new Date(startedAt).toISOString().slice(0, 10);
        const { coverage, scan } = await readStorefrontPage(
          scanner,
          // Every store also serves its pages at its myshopify.com domain.
          `https://${record?.primaryHost ?? domain}`,
          { kind: 'home', path: '/' },
          { asOf, caller: { lane: 'keyed', tenant: domain, signal } },
        );
        signal.throwIfAborted();
        if (coverage.reason === 'target_busy') return waitUntil(clock() + WAIT_MS.rate);
        const common = { id: job.id, startedAt };
        if (!scan) {
          const reason = coverage.state === 'password' ? 'password' : coverage.reason;
          await shop.renderings.record({
            ...{ ...common, state: 'unseen', reason, score: null, detail: null, verdicts: new Map() },
          });
          return { state: 'unseen' } satisfies RenderOutcome;
        }
        const reading = readRendering(await renderScan(scan, { journey: JOURNEY_STEPS, signal }), scan.findings.length);
        signal.throwIfAborted();
        const state = reading.complete ? 'complete' : 'partial';
        await shop.renderings.record({ ...common, state, reason: null, ...(await compare(shop, scan, reading)) });
        return { state } satisfies RenderOutcome;
      } finally {
        isBusy = false;
      }
    },
  };
}

/** Compares a rendering with the store's open findings and its last scan. */
async function compare(
  shop: Shop,
  scan: StorefrontScan,
  reading: RenderingReading,
): Promise<Pick<NewRendering, 'score' | 'detail' | 'verdicts'>> {
  const { complete: _, verdicts: onPage, scored, ...seen } = reading;
  const [open, latest] = await Promise.all([
    shop.findings.list({ status: 'open', limit: MAX_FINDINGS }),
    shop.scans.latest(),
  ]);
  const verdicts = verdictsByFingerprint(scan, onPage);
  const counts = { confirmed: 0, refuted: 0, unseen: 0 };
  for (const { fingerprint } of open.rows) counts[verdicts.get(fingerprint) ?? 'unseen']++;
  const last = latest && latest.score !== null ? await shop.scans.get(latest.id) : null;
  const found = new Map((last?.findings ?? []).map(one => [one.fingerprint, (one.detail as FindingDetail).finding]));
  const problems = {
    findings: [...found].map(([fingerprint, finding]) => ({ fingerprint, finding })),
    complete: last?.state === 'complete',
  };
  const refuted = new Set(
    [...verdicts].flatMap(([fingerprint, verdict]) => (verdict === 'refuted' ? fingerprint : [])),
  );
  const detail: RenderingDetail = {
    ...{ ...seen, verdicts: counts },
    staticScore: last && storeScore({ ...problems, refuted: new Set() }).score,
  };
  return { score: last && storeScore({ ...problems, refuted, traffic: scored }).score, detail, verdicts };
}

/**
 * Returns the verdict on each problem on a page, by fingerprint. If a page has several findings about one problem, the
 * problem is confirmed if any of those findings is confirmed, and refuted only if all of them are refuted.
 */
function verdictsByFingerprint(
  { findings, scanned }: StorefrontScan,
  onPage: readonly FindingVerdict[],
): Map<string, FindingVerdict> {
  const verdicts = new Map<string, FindingVerdict>();
  for (const [index, finding] of findings.entries()) {
    const fingerprint = storeFingerprint(finding, scriptOf(finding, scanned.url));
    const both = [verdicts.get(fingerprint), onPage[index]];
    verdicts.set(fingerprint, VERDICTS.find(verdict => both.includes(verdict))!);
  }
  return verdicts;
}
