import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { certificate, efilingPack, parseCodeList } from '@compliance/core/entry';

const readJson = async file => JSON.parse(await readFile(file, 'utf8'));
const issuedAt = new Date().toISOString();
const record = certificate(await readJson('helmet.json'), {
  ...{ id: randomUUID(), issuedAt, today: issuedAt.slice(0, 10), verificationUrl: null },
});

for (const { title, status, content, filename, gaps } of efilingPack(record, {
  codes: parseCodeList(await readJson('codes.json')),
})) {
  console.log(`${title}: ${status}`);
  for (const { path, message } of gaps) console.log(`  ${path}: ${message}.`);
  if (content === null) continue;
  await writeFile(filename, content);
  console.log(`  Wrote ${filename}.`);
}
