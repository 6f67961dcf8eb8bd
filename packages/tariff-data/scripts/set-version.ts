// Sets the package version to the data set version.
import { readFileSync, writeFileSync } from 'node:fs';
import { bundledDataset } from '@compliance/core/tariff/dataset';

const file = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const { version } = bundledDataset();
// `pnpm gen` runs in several packages at once, and pnpm reads every manifest, so rewrite the file only if necessary.
if (manifest.version !== version) writeFileSync(file, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
