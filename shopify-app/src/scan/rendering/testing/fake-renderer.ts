import { JOURNEY_STEPS, type PhaseRecord, type RenderingVerdict } from '@compliance/core/pixel';
import type { ScanRenderer, ScanRendering, StorefrontScan } from '@compliance/crawler';

/** Returns the record of a step that the browser completed. */
export const stepRecord = (changes: Partial<PhaseRecord>): PhaseRecord => ({
  ...{ phase: 'load', step: 'page', url: 'https://shop.example/', decision: null, banner: null, skipped: null },
  ...{
    complete: true,
    requests: 12,
    cookies: [{ name: 'secret-cookie', domain: 'shop.example' }],
    storage: ['secret'],
  },
  ...changes,
});

/** Returns a complete rendering without events. Each finding gets its rule's verdict from `verdicts`, or `unseen`. */
export const renderingOf = (
  { findings, score, score_breakdown, severity_counts }: StorefrontScan,
  verdicts: Readonly<Record<string, RenderingVerdict>> = {},
  changes: Partial<ScanRendering> = {},
): ScanRendering => ({
  findings: findings.map(({ rule_id, ids }) => ({
    ...{ rule_id, ids, verdict: verdicts[rule_id] ?? 'unseen', evidence: 'secret-evidence' },
  })),
  ...{ traffic: [], unseen: [], score, score_breakdown, severity_counts },
  verdict_counts: { confirmed: 0, refuted: 0, unseen: 0 },
  phases: [
    stepRecord({}),
    ...(['deny', 'accept'] as const).flatMap(phase =>
      (['page', ...JOURNEY_STEPS] as const).map(step => stepRecord({ phase, step, decision: 'banner' })),
    ),
  ],
  ...{ beacons: 0, cut: null, layers: { noRoutes: true } },
  ...changes,
});

/**
 * Creates a renderer that doesn't use a browser.
 *
 * @example const renderScan = fakeRenderer({ ga4_app_duplicate: 'refuted' });
 */
export const fakeRenderer =
  (verdicts: Readonly<Record<string, RenderingVerdict>> = {}, changes: Partial<ScanRendering> = {}): ScanRenderer =>
  async scan =>
    renderingOf(scan as StorefrontScan, verdicts, changes);
