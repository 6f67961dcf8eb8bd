import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '@compliance/browser';
import { lookup } from '@compliance/core/tariff';
import { expect, it, onTestFinished } from 'vitest';
import { compared, copyOf, shownIn } from '../testing/example.ts';

/** Copies the example, runs the bundle command from its README, and returns the path of the copy. */
async function bundled(): Promise<string> {
  const { folder, run } = await copyOf('browser-lookup');
  const [shown] = await shownIn('browser-lookup');
  // The published package doesn't need the `@compliance/source` export condition.
  const command = shown!.command.replace('--bundle', '--bundle --conditions=@compliance/source');
  const { stdout, stderr } = await run(command);
  const [got, wanted] = compared(stdout, shown!);
  expect([got, stderr]).toEqual([wanted, '']);
  return folder;
}

it('builds a browser bundle with the command from the example’s README', async () => {
  const bundle = await readFile(join(await bundled(), 'page.bundle.js'), 'utf8');
  expect(bundle).not.toMatch(/\brequire\(|node:/);
});

it('shows the library’s results in a browser without making network requests', async context => {
  const browser = await launchBrowser().catch((error: Error) => error);
  if (browser instanceof Error) {
    if (process.env.CI) throw browser;
    return context.skip(`no browser available: ${browser.message.split('\n')[0]}`);
  }
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const asked: string[] = [];
  const faults: string[] = [];
  page.on('request', request => asked.push(request.url().replace(/.*\//, '')));
  page.on('pageerror', error => faults.push(error.message));
  page.on('console', message => faults.push(message.text()));

  await page.goto(pathToFileURL(join(await bundled(), 'index.html')).href);
  const codes = ['7318.15.2061', '0101.21.00', '<img src=x onerror=alert(1)>'];
  await page.fill('#date', '2026-10-01');
  await page.fill('#codes', codes.join('\n'));
  const { results } = lookup(codes, { asOf: '2026-10-01' });
  expect(await page.locator('dt').allTextContents()).toEqual(results.map(({ code, status }) => `${code}: ${status}`));
  expect(await page.locator('dd').allTextContents()).toEqual(results.map(({ message }) => message));
  await page.fill('#date', '2018-01-01');
  expect(await page.locator('dt').first().textContent()).toBe('7318.15.2061: adjacent');
  expect(faults).toEqual([]);
  expect(asked.filter(name => name !== 'index.html' && name !== 'page.bundle.js' && name !== ',')).toEqual([]);
});
