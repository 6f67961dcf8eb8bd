// Sets the package version to the data set version.
import { readFileSync, writeFileSync } from 'node:fs';
import { bundledDataset } from '@compliance/core/tariff/dataset';

const file = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
writeFileSync(file, `${JSON.stringify({ ...manifest, version: bundledDataset().version }, null, 2)}\n`);
