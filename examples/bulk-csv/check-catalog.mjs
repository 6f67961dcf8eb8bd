// Checks the HTS code in each row of a catalog against the Section 232 lists.
// Usage: node check-catalog.mjs catalog.csv checked.csv [date of entry]

import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { easternDate, lookup } from '@compliance/core/tariff';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';

const [catalog, checked, asOf = easternDate(Date.now())] = process.argv.slice(2);
const counts = { hit: 0, in_scope: 0, adjacent: 0, clear: 0, invalid: 0 };

async function* check(rows) {
  for await (const { sku, name, hts } of rows) {
    const [{ status, message, matches }] = lookup([hts ?? ''], { asOf }).results;
    counts[status]++;
    const citations = matches.map(({ citation }) => citation).join(' | ');
    yield { sku, name, hts, status, message, citations };
  }
}

await pipeline(
  createReadStream(catalog),
  parse({ bom: true, columns: true, relax_column_count: true }),
  check,
  // Spreadsheets evaluate cells that start with =, +, -, or @ as formulas, and product names can be untrusted.
  stringify({ bom: true, header: true, escape_formulas: true }),
  createWriteStream(checked),
);
for (const [status, count] of Object.entries(counts)) console.log(`${status.padEnd(8)} ${count}`);
