import type { ChromiumFiles } from '@compliance/chromium';
import type { JourneyStep, ScanResult } from '@compliance/core/pixel';
import type { ScanRendering } from '@compliance/crawler';
import type { KernelIsolation } from '@compliance/crawler/pool';

/** File descriptor of the socket between a render process and its parent. */
export const CHANNEL = 3;

/**
 * Maximum size of a message from a render process, in bytes. The process reads untrusted pages, so its messages aren't
 * trusted, either.
 */
export const MAX_MESSAGE_BYTES = 16 * 2 ** 20;

/** A page to render in another process. */
export interface RenderJob {
  readonly scan: ScanResult;
  readonly journey: readonly JourneyStep[];
  readonly chromium: Omit<ChromiumFiles, 'remove'>;
  readonly kernel: KernelIsolation;
  /** URL of the egress proxy that connects to sites, or null to connect directly. */
  readonly egress: string | null;
  readonly userAgent: string;
}

/**
 * A message to a render process: the job to run, or the response to one of the process's requests. Messages are
 * serialized with `node:v8`.
 */
export type ToRenderProcess = { readonly job: RenderJob } | { readonly id: number; readonly answer: unknown };

/**
 * A question from a render process to its parent: whether robots.txt allows a URL, or whether another connection to a
 * target is within the rate limit that all scans share.
 */
export type Question =
  | { readonly ask: 'allows'; readonly url: string }
  | { readonly ask: 'take'; readonly target: string; readonly perMinute: number };

/**
 * A message from a render process. Messages are JSON, because reading JSON from an untrusted process can't run code.
 */
export type FromRenderProcess =
  | (Question & { readonly id: number })
  | { readonly rendering: ScanRendering }
  | { readonly failure: string };
