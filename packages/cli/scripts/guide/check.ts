// For each `issue` argument, issues a certificate with the API key in KEY. For any other argument, reads all previously
// issued certificates and verifies their PDFs.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

const BASE = 'http://127.0.0.1:8787';
const FILE = '/certificates';

const REQUEST = {
  product_info: { name: 'Road Bicycle Helmet', date_of_manufacture: '2026-09-14', place_of_manufacture: 'China' },
  manufacturer: { name: 'Maker', address: '1 Road', contact_email: 'maker@maker.example' },
  testing_lab: { name: 'Lab', test_date: '2026-08-30' },
  cpsc_rules_cited: ['16 CFR 1203'],
};

for (const step of process.argv.slice(2)) await (step === 'issue' ? issue() : read());

async function issue(): Promise<void> {
  const response = await fetch(`${BASE}/api/v1/entry/gcc/generate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${process.env.KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(REQUEST),
  });
  if (response.status !== 200) throw new Error(`The certificate wasn't issued: ${await response.text()}`);
  const { gcc_id, sha256 } = (await response.json()) as { gcc_id: string; sha256: string };
  appendFileSync(FILE, `${gcc_id} ${sha256}\n`);
  console.log(`# issued ${gcc_id}`);
}

async function read(): Promise<void> {
  const issued = existsSync(FILE) ? readFileSync(FILE, 'utf8').trim().split('\n') : [];
  for (const line of issued) {
    const [id, sha256] = line.split(' ');
    const page = await (await fetch(`${BASE}/gcc/${id}`)).text();
    const [, link] = /href="(\/gcc\/[^"]+\/pdf[^"]+)"/.exec(page) ?? [];
    const pdf = await fetch(BASE + link!.replaceAll('&amp;', '&'));
    const found = createHash('sha256')
      .update(new Uint8Array(await pdf.arrayBuffer()))
      .digest('hex');
    if (found !== sha256) throw new Error(`Certificate ${id} was lost or changed.`);
  }
  console.log(`# read ${issued.length} certificates with their PDFs`);
}
