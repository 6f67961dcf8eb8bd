import { JOURNEY_STEPS, TRAFFIC_PROBLEMS, type TrafficCode, VENDOR_NAMES, type Vendor } from '@compliance/core/pixel';
import type { ScanRendering } from '@compliance/crawler';
import type { FindingVerdict } from '@compliance/store/shop';
import { z } from 'zod';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import type { RenderedStep, RenderingDetail, TrafficProblem } from '../model/rendering.ts';

/** Data from one rendering, without the store's findings and score. */
export interface RenderingReading extends Omit<RenderingDetail, 'verdicts' | 'staticScore'> {
  /** Whether the browser completed every step and observed the effect of both consent choices. */
  readonly complete: boolean;
  /** Verdicts on the scan's findings, in the same order. */
  readonly verdicts: readonly FindingVerdict[];
  /** Problems that lower the score in addition to the findings. */
  readonly scored: readonly TrafficProblem[];
}

/** Limits for data from one rendering. Only a malicious page is likely to exceed these limits. */
const MAX = { traffic: 200, steps: 20, sent: 500, text: 100 };

const count = z.int().min(0);
const text = z.string().transform(value => value.slice(0, MAX.text));
const phase = z.enum(['load', 'deny', 'accept']);
const step = z.enum(['page', ...JOURNEY_STEPS]);
const vendor = z.enum(Object.keys(VENDOR_NAMES) as [Vendor, ...Vendor[]]);
const atMost = (limit: number) => (items: readonly unknown[]) => items.slice(0, limit);

const schema = z.object({
  findings: z.array(z.object({ verdict: z.enum(['confirmed', 'refuted', 'unseen']) })),
  traffic: z.preprocess(
    items => (Array.isArray(items) ? atMost(MAX.traffic)(items) : items),
    z.array(
      z.object({
        code: z.enum(Object.keys(TRAFFIC_PROBLEMS) as [TrafficCode, ...TrafficCode[]]),
        severity: z.enum(['warn', 'info']),
        ...{ vendor, id: text.nullable(), counts: z.boolean() },
      }),
    ),
  ),
  phases: z
    .array(
      z.object({
        ...{ phase, step, complete: z.boolean(), requests: count },
        decision: z.enum(['banner', 'shopify', 'none']).nullable(),
        skipped: z.enum(['not_found', 'robots', 'personal_data', 'saved']).nullable(),
        ...{ cookies: z.array(z.unknown()), storage: z.array(z.unknown()) },
      }),
    )
    .max(MAX.steps),
  beacons: count,
  events: z
    .preprocess(
      items => (Array.isArray(items) ? atMost(MAX.sent)(items) : items),
      z.array(z.object({ phase, step, vendor, event: text.nullable(), count })),
    )
    .optional(),
  cut: z.enum(['memory', 'processes', 'time', 'requests', 'crash']).nullable(),
});

/**
 * Validates a rendering, and returns only its decoded events and counts. The rendering is untrusted, because it comes
 * from a process that reads an untrusted browser's messages.
 *
 * @param findings number of findings in the scan
 * @throws Error if the rendering isn't valid
 * @example readRendering(await renderScan(scan), scan.findings.length).complete // false
 */
export function readRendering(rendering: ScanRendering, findings: number): RenderingReading {
  // Truncated text can end in a lone surrogate.
  const read = JSON.parse(JSON.stringify(schema.parse(rendering)), sanitizeText) as z.infer<typeof schema>;
  if (read.findings.length !== findings) throw new Error('The rendering doesn’t match the scan.');
  const steps = read.phases.map(
    ({ cookies, storage, ...one }): RenderedStep => ({ ...one, stored: cookies.length + storage.length }),
  );
  return {
    ...{ steps, events: read.beacons, sent: read.events ?? null, cut: read.cut },
    traffic: problemsIn(read.traffic),
    complete: read.cut === null && steps.every(one => one.complete && one.skipped === null && one.decision !== 'none'),
    verdicts: read.findings.map(({ verdict }) => verdict),
    scored: problemsIn(read.traffic.filter(({ counts }) => counts)),
  };
}

const problemsIn = (traffic: z.infer<typeof schema>['traffic']): TrafficProblem[] =>
  traffic.map(({ counts: _, ...problem }) => problem);
