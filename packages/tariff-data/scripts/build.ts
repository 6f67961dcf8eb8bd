// Writes the package files to dist/. The data comes from the data set bundled with @compliance/core, so each fact is
// maintained in only one place.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledDataset, loadDataset } from '@compliance/core/tariff/dataset';
import { datasetFiles } from '../src/dataset-files.ts';

const folder = join(import.meta.dirname, '../dist');

/** Returns the ID of the commit that the files are built from, or null outside a Git repository. */
function commitOf(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [path, bytes] of datasetFiles(loadDataset(bundledDataset()), { commit: commitOf() })) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}
