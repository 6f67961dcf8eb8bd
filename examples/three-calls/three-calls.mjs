// Usage: node three-calls.mjs https://your-shop.example
import { readFile } from 'node:fs/promises';
import { Compliance } from '@compliance/client';

const [shop] = process.argv.slice(2);
const client = new Compliance(); // reads COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL

const { results } = await client.tariff.hts.lookup(['7318.15.2061'], { as_of: '2026-10-01' });
console.log(results[0].code, results[0].status);

const { score, findings } = await client.pixel.scan(shop);
console.log(shop, score, findings[0].message);

const made = await client.entry.gcc.generate(JSON.parse(await readFile('helmet.json', 'utf8')));
console.log(made.gcc_id, made.completeness.status);
