// Takes the README's screenshot of a rendered scan report, using the real report for a shop whose traffic is known.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '@compliance/chromium';
import { type Capture, joinRendering, renderedHtmlReport, scan } from '@compliance/core/pixel';
import { publicTransport } from '@compliance/crawler';
import { inspectKernelIsolation } from '@compliance/crawler/pool';
import { renderStorefront } from '@compliance/renderer';
import { KNOWN_SHOPS } from '../src/testing/known-shops.ts';
import { captureOf } from '../src/testing/shop.ts';

const PICTURE = join(import.meta.dirname, '../../../docs/pictures/rendered.png');
const AS_OF = '2026-11-23';
const TITLE = 'the theme and an app’s web pixel send the same Meta event';
/** Markup to show in the screenshot, because the shop's own pages are empty. */
const BODY =
  '<style>body { font: 20px system-ui; margin: 2rem } img { display: none }</style><h1>Mug Shop</h1><p>Handmade mugs, shipped from Ohio.</p>';

const shop = KNOWN_SHOPS.find(({ title }) => title === TITLE);
if (!shop) throw new Error(`No known shop has the title “${TITLE}”.`);
const chromium = await findChromium();
const render = (saved: Capture, screenshots: boolean) =>
  renderStorefront(
    { saved },
    {
      ...{ chromium, kernel: inspectKernelIsolation(), transport: publicTransport, userAgent: 'picture', screenshots },
    },
  );
try {
  const found = captureOf(shop, 'https://shop.example/');
  const capture = { ...found, html: found.html.replace('<body>', `<body>${BODY}`) };
  const result = scan(capture, { asOf: AS_OF });
  const { screenshots, ...rendering } = await render(capture, true);
  const pictures = screenshots.map(({ png, ...at }) => ({ ...at, png: png.toString('base64') }));
  const html = renderedHtmlReport(result, joinRendering(result, rendering), rendering, pictures, AS_OF);
  const small = html.replace('<style>', '<style>html { zoom: .75; scrollbar-width: none }');
  const report = await render({ ...found, html: small, scripts: [] }, true);
  writeFileSync(PICTURE, report.screenshots[0]!.png);
} finally {
  await chromium.remove();
}
