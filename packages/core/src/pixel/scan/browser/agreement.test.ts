import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithBrowser } from '@compliance/browser';
import { expect, it } from 'vitest';
import { captureOf } from '../../testing/capture-of.ts';
import { TODAY } from '../../testing/fixtures.ts';
import { scan } from '../scan.ts';
import { recordCalls, type VendorCall } from './record-calls.ts';

const folder = join(import.meta.dirname, 'fixtures');
const pages = readdirSync(folder).map(
  file => [file.replace('.html', ''), readFileSync(join(folder, file), 'utf8')] as const,
);

/**
 * Returns the tags that the vendor scripts initialized and the events that they sent, each formatted as `vendor ID` or
 * `vendor event`.
 */
function ranInBrowser(calls: readonly VendorCall[]): string[] {
  const ran = calls.flatMap(([vendor, command, name]) => {
    const isInit = command === 'init' || command === 'config';
    const isEvent = command === 'track' || command === 'event';
    return isInit || isEvent ? [`${vendor} ${name}`] : [];
  });
  return [...new Set(ran)].sort();
}

/**
 * Returns the tags and events that run on page load according to a scan, in the format `vendor ID` or `vendor event`.
 */
function runsInReport(html: string): string[] {
  const { tags } = scan(captureOf(html), TODAY).inventory;
  const running = tags.filter(tag => tag.state === 'run');
  return [...new Set(running.flatMap(tag => [tag.id, ...tag.events].map(name => `${tag.vendor} ${name}`)))].sort();
}

await describeWithBrowser('a scan, compared with a browser', browser => {
  it.each(pages)('reports the tags and events that run on the page %s', async (_name, html) => {
    expect(runsInReport(html)).toEqual(ranInBrowser(await recordCalls(browser, html)));
  });

  it.each(pages)(
    'reports a duplicate on the page %s if and only if a tag is initialized twice',
    async (_name, html) => {
      const initialized = (await recordCalls(browser, html)).filter(
        ([, command]) => command === 'init' || command === 'config',
      );
      const ids = initialized.map(([vendor, , id]) => `${vendor} ${id}`);
      const reported = scan(captureOf(html), TODAY).findings.filter(
        f => /_duplicate(?:_init|_config)?$/.test(f.rule_id) && f.confidence !== 'possible',
      );
      expect(reported.length > 0).toBe(new Set(ids).size < ids.length);
    },
  );

  it('reports each vendor that a page sends events to without loading the vendor’s base code', async () => {
    const html = readFileSync(join(folder, 'ad-pixel-without-base-code.html'), 'utf8');
    expect(await recordCalls(browser, html)).toEqual([]);
    const { findings } = scan(captureOf(html), TODAY);
    expect(findings.filter(f => f.severity !== 'info').map(f => f.message)).toEqual([
      expect.stringContaining('to Pinterest'),
      expect.stringContaining('to TikTok'),
      expect.stringContaining('to X'),
    ]);
  });

  it.each(pages.filter(([name]) => name.startsWith('broken-')))('scores the page %s below 60', (_name, html) => {
    expect(scan(captureOf(html), TODAY).score).toBeLessThan(60);
  });
});
