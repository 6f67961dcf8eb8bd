import { type Capture, type JoinedScan, joinRendering, type ScanResult } from '@compliance/core/pixel';
import { publicTransport, type TargetRate, userAgent } from '@compliance/crawler';
import { inspectKernelIsolation } from '@compliance/crawler/pool';
import type * as Renderer from '@compliance/renderer';
import { CliError } from './cli-error.ts';

/** A rendering and its verdicts on the findings of a scan. */
export interface RenderedScan {
  readonly rendering: Renderer.Rendering;
  readonly verdicts: JoinedScan['findings'];
  readonly traffic: JoinedScan['traffic'];
}

/** A page to render: a saved page, or a URL that a scan was allowed to fetch. */
type Page =
  | { readonly saved: Capture }
  | { readonly url: string; readonly contact: string; readonly targetRate: TargetRate };

/**
 * Renders a scanned page in a browser, and compares the findings with the requests that the browser sends.
 *
 * @throws CliError if the optional package isn't installed or the page can't be rendered
 */
export async function renderScan(result: ScanResult, page: Page): Promise<RenderedScan> {
  const { findChromium, renderStorefront } = await loadRenderer();
  const chromium = await findChromium();
  try {
    const rendering = await renderStorefront(page, {
      ...{ chromium, kernel: inspectKernelIsolation(), transport: publicTransport },
      userAgent: 'contact' in page ? userAgent(page.contact) : 'PortfolioCompliance',
      ...('targetRate' in page && { targetRate: page.targetRate }),
    });
    const { findings, traffic } = joinRendering(result, rendering);
    return { rendering, verdicts: findings, traffic };
  } catch (error) {
    throw new CliError(`Can't render the page: ${(error as Error).message}`);
  } finally {
    await chromium.remove();
  }
}

async function loadRenderer(): Promise<typeof Renderer> {
  try {
    return await import('@compliance/renderer');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CliError(
      '--render needs the optional package @compliance/renderer. Install it: npm install @compliance/renderer',
    );
  }
}
