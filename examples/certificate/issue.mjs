// Makes a certificate of conformity with the service, and fetches the PDF.
// COMPLIANCE_API_KEY=… node issue.mjs helmet.json certificate.pdf

import { readFile, writeFile } from 'node:fs/promises';
import { Compliance } from '@compliance/client';

const [request, file] = process.argv.slice(2);
const client = new Compliance(); // COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL

// The same key makes the same certificate, however often this runs.
const idempotencyKey = 'helmet-RB-200-2026-09-14';
const made = await client.entry.gcc.generate(JSON.parse(await readFile(request, 'utf8')), { idempotencyKey });
console.log(`certificate ${made.gcc_id} is ${made.completeness.status}`);
for (const { message } of made.completeness.missing) console.log(`missing: ${message}`);

// Checked against made.sha256. The link is good for a short time, the address for verification for good.
await writeFile(file, await client.downloadCertificate(made));
console.log(`${file} is written; whoever holds it can check it at ${made.verification_url}`);
