import type { Phase, PhaseRecord, RenderedPage, TrafficFinding, VisitStep } from '@compliance/core/pixel';
import type { SentEvents } from '@compliance/crawler';
import type { FindingVerdict, ShopRecord } from '@compliance/store/shop';

/** Type of the job that opens a storefront in a browser. */
export const RENDER = 'render';

/** Shop setting that turns on browser checks. */
export const RENDERING_SETTING = 'rendering';

/**
 * Whether this app can open storefronts in a browser. `off` means that the operator hasn't turned on rendering.
 * `no_package`, `no_browser`, and `no_isolation` mean that the optional package, a browser, or kernel isolation isn't
 * available.
 */
export type RenderingAvailability = 'available' | 'off' | 'no_package' | 'no_browser' | 'no_isolation';

/** Returns whether the merchant has turned on browser checks. They're off by default. */
export const wantsRendering = (record: ShopRecord | null): boolean => record?.settings[RENDERING_SETTING] === true;

/** Record of one step of a browser check, even if the browser skipped the step. */
export interface RenderedStep extends Pick<PhaseRecord, 'decision' | 'skipped' | 'complete'> {
  readonly phase: Phase;
  readonly step: VisitStep;
  /** Number of requests that the page sent in this step. */
  readonly requests: number;
  /** Total number of cookies and storage entries at the end of the step. */
  readonly stored: number;
}

/** A problem found only in the browser's traffic. */
export type TrafficProblem = Pick<TrafficFinding, 'code' | 'severity' | 'vendor' | 'id'>;

/** `detail` field of a rendering in `shop.renderings`. Contains only decoded events and counts, and no page content. */
export interface RenderingDetail {
  readonly steps: readonly RenderedStep[];
  /** Number of events that the browser sent to vendors. */
  readonly events: number;
  /** Events by step, or null if the renderer reports only their number. */
  readonly sent: readonly SentEvents[] | null;
  readonly cut: RenderedPage['cut'];
  readonly traffic: readonly TrafficProblem[];
  /** Number of the store's open findings with each verdict. */
  readonly verdicts: Readonly<Record<FindingVerdict, number>>;
  /**
   * Score without the browser's results, based on all of the last scan's findings, including refuted findings. Null if
   * the last scan has no score.
   */
  readonly staticScore: number | null;
}
