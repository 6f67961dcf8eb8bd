// Sets the package version to the data set version.
import { readFileSync, writeFileSync } from 'node:fs';
import { bundledDataset } from '@compliance/core/tariff/dataset';

const file = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const { version } = bundledDataset();
// `pnpm gen` runs in several packages at a time, and pnpm reads every manifest, so don't rewrite the file without need.
if (manifest.version !== version) writeFileSync(file, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
