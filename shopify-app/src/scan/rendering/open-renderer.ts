import type { ScanRenderer, TargetRate, Transport } from '@compliance/crawler';
import type { Pool } from '@compliance/crawler/pool';
import type { RenderingAvailability } from '../model/rendering.ts';

/** Browser that the app uses, or the reason that the browser isn't available. */
export interface AppRenderer {
  readonly availability: RenderingAvailability;
  /** Opens pages in the browser, or null if this process doesn't open pages. */
  readonly render: ScanRenderer | null;
  /** Cancels the current rendering, and removes the browser's files. */
  close(): Promise<void>;
}

/** Options for opening storefronts in the browser. */
interface RendererOptions {
  /** Network access for reading robots.txt files. */
  readonly transport: Transport;
  /** Egress proxy for the browser's connections. By default, the browser connects directly. */
  readonly egress?: URL;
  /** Contact URL in the user agent. */
  readonly contact: string;
  readonly pool: Pool;
  readonly targetRate: TargetRate;
}

/** Exports that the app uses from the optional package. */
interface RendererPackage {
  readonly IsolationMissing: new () => Error;
  openScanRenderer(options: RendererOptions): Promise<{ readonly render: ScanRenderer; close(): Promise<void> }>;
}

/**
 * Name of the optional package. The import uses this constant instead of a literal, so that the app can be type-checked
 * and built without the package.
 */
const PACKAGE: string = '@compliance/renderer';

/** Conditions for opening the browser in this process. */
interface RendererChoice {
  /** Whether the operator has turned on rendering. */
  readonly isOn: boolean;
  /** Whether this process runs jobs. Only processes that run jobs open the browser. */
  readonly runsJobs: boolean;
}

/**
 * Prepares the browser for browser checks. The app opens storefronts only if the kernel isolates the browser. If
 * rendering isn't possible, the app starts anyway, and its pages show the reason.
 *
 * @example
 * const renderer = await openAppRenderer({ isOn: true, runsJobs: true }, { transport: publicTransport, contact, pool, targetRate });
 * renderer.availability; // 'no_package'
 */
export async function openAppRenderer(
  { isOn, runsJobs }: RendererChoice,
  options: RendererOptions,
): Promise<AppRenderer> {
  const without = (availability: RenderingAvailability): AppRenderer => ({
    availability,
    render: null,
    close: async () => {},
  });
  if (!isOn) return without('off');
  if (!runsJobs) return without('available');
  const renderer = await loadRenderer();
  if (!renderer) return without('no_package');
  try {
    const { render, close } = await renderer.openScanRenderer(options);
    return { availability: 'available', render, close };
  } catch (error) {
    return without(error instanceof renderer.IsolationMissing ? 'no_isolation' : 'no_browser');
  }
}

/** Loads the optional package, or returns null if it isn't installed. */
async function loadRenderer(): Promise<RendererPackage | null> {
  try {
    return (await import(PACKAGE)) as RendererPackage;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return null;
  }
}
