// Issues a certificate through the service and downloads the PDF.
// Usage: COMPLIANCE_API_KEY=… node issue.mjs helmet.json certificate.pdf

import { readFile, writeFile } from 'node:fs/promises';
import { Compliance } from '@compliance/client';

const [request, file] = process.argv.slice(2);
const client = new Compliance(); // reads COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL

// For 24 hours, the same idempotency key returns the same certificate, no matter how many times this script runs.
const idempotencyKey = 'helmet-RB-200-2026-09-14';
const made = await client.entry.gcc.generate(JSON.parse(await readFile(request, 'utf8')), { idempotencyKey });
console.log(`certificate ${made.gcc_id} is ${made.completeness.status}`);
for (const { message } of made.completeness.missing) console.log(`missing: ${message}`);

// The client verifies the PDF against its SHA-256 hash. The download link expires; the verification URL doesn't.
await writeFile(file, await client.downloadCertificate(made));
console.log(`Wrote ${file}. Verify it at ${made.verification_url}`);
