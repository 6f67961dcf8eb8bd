import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build, type Rollup } from 'vite';

const STAGE = join(import.meta.dirname, 'stage.tsx');

/** A window of a browser in which any state of any screen can be shown, as React shows it to a merchant. */
export interface Stage {
  readonly page: Page;
  /** What the console and errors that nobody caught said since it was last asked. */
  heard(): string[];
  /** @param index of the state among those of the screen */
  show(screen: string, index: number, locale: string): Promise<void>;
}

/**
 * Bundles the screens with React's development form, which says what is wrong with a document.
 *
 * @returns what opens a stage of a width in px
 * @example
 * const open = await bundledStage(browser);
 * await (await open(360)).show('home', 0, 'en-XA');
 */
export async function bundledStage(browser: Browser): Promise<(width: number) => Promise<Stage>> {
  const { output } = (await build({
    ...{ configFile: false, root: join(STAGE, '../../../..'), logLevel: 'warn' },
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      ...{ write: false, minify: false, cssCodeSplit: false },
      rollupOptions: { input: STAGE, output: { format: 'iife' } },
    },
  })) as Rollup.RollupOutput;
  const script = output.flatMap(part => (part.type === 'chunk' ? part.code : [])).join('\n');
  const styles = output
    .flatMap(part => (part.fileName.endsWith('.css') && 'source' in part ? part.source : []))
    .join('\n');

  return async width => {
    const page = await browser.newPage({ viewport: { width, height: 860 }, reducedMotion: 'reduce' });
    let said: string[] = [];
    page.on('console', message => said.push(message.text()));
    page.on('pageerror', error => said.push(error.message));
    await page.setContent(`<!doctype html>
      <html>
        <head><title>Screens</title><meta name="viewport" content="width=device-width,initial-scale=1"></head>
        <body><div id="stage"></div></body>
      </html>`);
    await page.addStyleTag({ content: styles });
    await page.addScriptTag({ content: script });
    return {
      page,
      heard() {
        const heard = said;
        said = [];
        return heard;
      },
      show: (screen, index, locale) => page.evaluate(`show('${screen}', ${index}, '${locale}')`),
    };
  };
}
