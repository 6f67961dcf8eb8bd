// Draws docs/pictures/terminal.png from the output of `compliance lookup`. Run this script after changing the command's output.
import { execFileSync } from 'node:child_process';
import { launchBrowser } from '@compliance/browser';

const CODES = ['7318.15.2061', '8302.41.60', '9401.71.00.31', '0101.21.00', '302.11'];
const ARGS = ['lookup', ...CODES, '--as-of', '2026-10-01'];
const MAIN = new URL('../../../cli/src/main.ts', import.meta.url);
const PICTURE = new URL('../../../../docs/pictures/terminal.png', import.meta.url);

/** Colors for the escape sequences in the output. */
const STYLES: Record<string, string> = {
  ...{ 1: 'font-weight: bold', 2: 'color: #8b949e' },
  ...{ 31: 'color: #ff7b72', 32: 'color: #7ee787', 33: 'color: #e3b341', 35: 'color: #d2a8ff', 36: 'color: #76e3ea' },
};

const output = execFileSync(process.execPath, ['--conditions=@compliance/source', MAIN.pathname, ...ARGS], {
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1' },
});
const html = output
  .replaceAll('&', '&amp;')
  .replaceAll('<', '&lt;')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals start a style with this character
  .replace(/\u001b\[(\d+)m/g, (_, code: string) => (STYLES[code] ? `<span style="${STYLES[code]}">` : '</span>'));

const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 980, height: 400 } });
  await page.setContent(
    `<body style="margin: 0; background: #0d1117"><pre style="box-sizing: border-box; width: max-content; margin: 0; padding: 24px; color: #f0f6fc; font: 15px/1.5 monospace">` +
      `<span style="${STYLES[2]}">$</span> compliance ${ARGS.join(' ')}\n\n${html}</pre></body>`,
  );
  await page.locator('pre').screenshot({ path: PICTURE.pathname });
} finally {
  await browser.close();
}
