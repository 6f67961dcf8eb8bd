import type {
  JoinedScan,
  JourneyStep,
  Phase,
  PhaseRecord,
  RenderedPage,
  ScanResult,
  Vendor,
  VisitStep,
} from '@compliance/core/pixel';

/**
 * Events with the same name that a browser sent to a vendor in one step. Names come from the page, so escape them for
 * display.
 */
export interface SentEvents {
  readonly phase: Phase;
  readonly step: VisitStep;
  readonly vendor: Vendor;
  /** Event name, or `null` if the request contains none. */
  readonly event: string | null;
  readonly count: number;
}

/** A scan's findings with a rendering's verdicts, and data about the rendering. */
export interface ScanRendering extends JoinedScan {
  readonly phases: readonly PhaseRecord[];
  /** Number of recorded events. */
  readonly beacons: number;
  /** Recorded events by step. Omitted if the renderer reports only the number of events. */
  readonly events?: readonly SentEvents[];
  /** Reason that the visit ended early, or `null` if it's complete. */
  readonly cut: RenderedPage['cut'];
  /** Whether each isolation layer was active, keyed by layer name. */
  readonly layers: Readonly<Record<string, boolean>>;
}

/** Options for a {@link ScanRenderer}. */
export interface ScanRendererRequest {
  /** Steps to take in the storefront after each consent choice. By default, only the page itself is rendered. */
  readonly journey?: readonly JourneyStep[];
  /** Signal that cancels the rendering. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a scanned page in an isolated browser, and compares the findings with the events that the browser sends.
 * `@compliance/renderer` implements it.
 *
 * @throws Error if the browser can't be started, or the signal's reason if the signal aborts
 */
export type ScanRenderer = (scan: ScanResult, request?: ScanRendererRequest) => Promise<ScanRendering>;
