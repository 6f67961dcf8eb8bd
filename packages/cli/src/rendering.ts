import { writeFile } from 'node:fs/promises';
import {
  type Capture,
  type JoinedScan,
  type JourneyStep,
  joinRendering,
  type ScanResult,
  type StepPicture,
} from '@compliance/core/pixel';
import { openRobotsReader, publicTransport, type TargetRate, userAgent } from '@compliance/crawler';
import { inspectKernelIsolation, type Pool } from '@compliance/crawler/pool';
import type * as Renderer from '@compliance/renderer';
import type { Translation } from '@compliance/translations';
import { CliError, fileError } from './cli-error.ts';
import { version } from './version.ts';

/** A rendering and its comparison with a scan. */
export interface RenderedScan {
  readonly rendering: Omit<Renderer.Rendering, 'requests' | 'screenshots'>;
  readonly joined: JoinedScan;
  /** Screenshots of the page, if the options request them. */
  readonly pictures: readonly StepPicture[];
  /** Names of the browser's active and missing isolation layers. */
  readonly layers: ReturnType<typeof Renderer.layerNames>;
}

/** A page to render: a saved page, or a URL that a scan was allowed to fetch. */
type Page =
  | { readonly saved: Capture }
  | { readonly url: string; readonly contact: string; readonly targetRate: TargetRate; readonly pool: Pool };

/** Options for {@link renderScan}. */
interface RenderScanOptions {
  readonly journey: readonly JourneyStep[];
  /** File for an HTTP Archive of all requests. */
  readonly har: string | undefined;
  /**
   * File for a screenshot of the page before the visitor makes a consent choice. Screenshots of the other steps are
   * saved next to it.
   */
  readonly screenshot: string | undefined;
  /** Whether a report needs screenshots of the page. */
  readonly withPictures: boolean;
  /** Language of the comparison, or null for English. */
  readonly translation: Translation | null;
}

/** Time limit for reading robots.txt files during rendering, in milliseconds. */
const ROBOTS_MS = 120_000;

/**
 * Renders a scanned page in a browser and compares the findings with the requests that the browser sends.
 *
 * @throws CliError if the optional package isn't installed, the page can't be rendered, or a file can't be written
 */
export async function renderScan(result: ScanResult, page: Page, options: RenderScanOptions): Promise<RenderedScan> {
  const renderer = await loadRenderer();
  const { requests, screenshots, ...rendering } = await render(renderer, page, options);
  const { har, screenshot, translation } = options;
  if (har !== undefined) await write(har, JSON.stringify(renderer.harOf(requests, { name: 'compliance', version })));
  if (screenshot !== undefined)
    for (const { phase, step, png } of screenshots) await write(pictureFile(screenshot, phase, step), png);
  const pictures = screenshots.map(({ png, ...at }) => ({ ...at, png: png.toString('base64') }));
  const layers = renderer.layerNames(rendering.layers);
  return { rendering, joined: joinRendering(result, rendering, translation), pictures, layers };
}

async function render(
  { findChromium, renderStorefront }: typeof Renderer,
  page: Page,
  { journey, screenshot, withPictures }: RenderScanOptions,
): Promise<Renderer.Rendering> {
  const isLive = 'contact' in page;
  const robots = isLive
    ? openRobotsReader(publicTransport, new URL(page.url), { ...page, limits: { totalMs: ROBOTS_MS } })
    : null;
  const chromium = await findChromium();
  try {
    return await renderStorefront(isLive ? { url: page.url, allows: url => robots!.allows(url) } : page, {
      ...{ chromium, kernel: inspectKernelIsolation(), transport: publicTransport, journey },
      ...{
        screenshots: withPictures || screenshot !== undefined,
        userAgent: isLive ? userAgent(page.contact) : 'PortfolioCompliance',
      },
      ...(isLive && { targetRate: page.targetRate }),
    });
  } catch (error) {
    throw new CliError(`Can't render the page: ${(error as Error).message}`);
  } finally {
    await robots?.close();
    await chromium.remove();
  }
}

/**
 * Returns the filename for a step's screenshot.
 *
 * @example pictureFile('shop.png', 'accept', 'product') // 'shop-accept-product.png'
 */
function pictureFile(file: string, phase: string, step: string): string {
  const suffix = [...(phase === 'load' ? [] : [phase]), ...(step === 'page' ? [] : [step])]
    .map(part => `-${part}`)
    .join('');
  return file.replace(/(?:\.png)?$/i, `${suffix}.png`);
}

async function write(file: string, contents: string | Buffer): Promise<void> {
  await writeFile(file, contents).catch(error => {
    throw fileError(`Can't write ${file}`, error);
  });
}

/** Explains what to do if the system can't isolate the browser. */
export const ISOLATE_BROWSER =
  'Allow user namespaces: see "Render storefronts" in docs/guides/self-host.md. Alternatively, use --render without-namespaces or set COMPLIANCE_RENDER=without-namespaces. In this mode, only the proxy and the browser\'s flags restrict network access by untrusted pages.';

/**
 * Loads the optional package that renders pages.
 *
 * @throws CliError if the package isn't installed
 */
export async function loadRenderer(): Promise<typeof Renderer> {
  try {
    return await import('@compliance/renderer');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CliError(
      '--render requires the optional package @compliance/renderer. To install the package, run: npm install @compliance/renderer',
    );
  }
}
