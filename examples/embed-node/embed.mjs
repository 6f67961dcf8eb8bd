// Uses the library for three tasks without a server or an API key.

import { readFile, writeFile } from 'node:fs/promises';
import { certificate, explain, openFonts, render } from '@compliance/core/entry';
import { scan } from '@compliance/core/pixel';
import { lookup } from '@compliance/core/tariff';
import { loadFace } from '@compliance/fonts';

const asOf = '2026-10-01';

// 1. Check whether codes are covered by Section 232.
const { results } = lookup(['7318.15.2061', '7601.10.3000', '0101.21.00'], { asOf });
for (const { code, status, message } of results) console.log(`${code}: ${status}. ${message}`);

// 2. Find problems with a page's tags.
const html = await readFile('shop.html', 'utf8');
const url = 'https://shop.example/';
const page = { url, finalUrl: url, status: 200, headers: {}, html, scripts: [], truncated: false, notes: [] };
const { score, findings } = scan(page, { asOf });
console.log(`\n${url} scores ${score}`);
for (const { severity, where, message } of findings) console.log(`line ${where.line}, ${severity}: ${message}`);

// 3. Create a certificate and list its missing fields.
const record = certificate(JSON.parse(await readFile('helmet.json', 'utf8')), {
  id: '3f8e6a52-1c7b-4f7e-9a54-0d1b2c3e4f5a', // created with crypto.randomUUID(); store this ID with the certificate
  issuedAt: '2026-10-01T09:00:00Z',
  today: asOf,
  verificationUrl: 'https://your-shop.example/certificates/3f8e6a52',
});
await writeFile('certificate.pdf', await render(record, openFonts(loadFace)));
console.log(`\nWrote certificate.pdf.\n${explain(record).trimEnd()}`);
