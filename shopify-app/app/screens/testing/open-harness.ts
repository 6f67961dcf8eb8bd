import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build, type Rollup } from 'vite';

const HARNESS = join(import.meta.dirname, 'harness.tsx');

/** Browser page that can show any story of any screen. */
export interface Harness {
  readonly page: Page;
  /** Returns the console messages and uncaught errors since the last call. */
  takeMessages(): string[];
  /**
   * Shows a story.
   *
   * @param index story index within the screen
   */
  show(screen: string, index: number, locale: string): Promise<void>;
}

/**
 * Bundles the stories with the React development build, which reports invalid markup.
 *
 * @returns a function that opens a harness at the given width, in pixels
 * @example
 * const open = await bundleHarness(browser);
 * await (await open(360)).show('home', 0, 'en-XA');
 */
export async function bundleHarness(browser: Browser): Promise<(width: number) => Promise<Harness>> {
  const { output } = (await build({
    ...{ configFile: false, root: join(HARNESS, '../../../..'), logLevel: 'warn' },
    define: { 'process.env.NODE_ENV': '"development"' },
    // Bundle packages from source, as the app does, so that the tests don't depend on built packages.
    resolve: { conditions: ['@compliance/source', 'module', 'browser', 'development|production'] },
    build: {
      ...{ write: false, minify: false, cssCodeSplit: false },
      rollupOptions: { input: HARNESS, output: { format: 'iife' } },
    },
  })) as Rollup.RollupOutput;
  const script = output.flatMap(part => (part.type === 'chunk' ? part.code : [])).join('\n');
  const styles = output
    .flatMap(part => (part.fileName.endsWith('.css') && 'source' in part ? part.source : []))
    .join('\n');

  return async width => {
    const page = await browser.newPage({ viewport: { width, height: 860 }, reducedMotion: 'reduce' });
    let messages: string[] = [];
    page.on('console', message => messages.push(message.text()));
    page.on('pageerror', error => messages.push(error.message));
    await page.setContent(`<!doctype html>
      <html>
        <head><title>Screens</title><meta name="viewport" content="width=device-width,initial-scale=1"></head>
        <body><div id="harness"></div></body>
      </html>`);
    await page.addStyleTag({ content: styles });
    await page.addScriptTag({ content: script });
    return {
      page,
      takeMessages() {
        const taken = messages;
        messages = [];
        return taken;
      },
      show: (screen, index, locale) => page.evaluate(`show('${screen}', ${index}, '${locale}')`),
    };
  };
}
