import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backUp, restore } from '@compliance/store';
import { Failure } from '../failure.ts';
import { print } from '../output/print.ts';
import { asStoreFailure, placeFor } from '../store.ts';

interface Options {
  data: string;
  json?: boolean;
}

const SECRETS =
  'No secret is in it: keep LINK_KEYS and OPERATOR_SECRET, or link-keys and operator-secret of the data folder, elsewhere.';

/** `compliance backup` */
export async function backupCommand(folder: string, { data, json }: Options): Promise<void> {
  const made = await asStoreFailure(() => backUp(placeFor(data), { folder, clock: Date.now }));
  print(json ? JSON.stringify(made) : `Wrote ${made.file}: ${contents(made)}.\n${SECRETS}`);
  if (made.lacking.length > 0) {
    throw new Failure(`The store has lost these PDFs, or holds them damaged:\n${made.lacking.join('\n')}`);
  }
}

/** `compliance restore` */
export async function restoreCommand(path: string, { data, json }: Options): Promise<void> {
  const file = await newestOf(path);
  const restored = await asStoreFailure(() => restore(placeFor(data), { file }));
  if (json) return print(JSON.stringify({ file, ...restored }));
  print(`Restored ${file} of ${restored.madeAt}: ${contents(restored)}.`);
  if (restored.lacking.length > 0) {
    print(`These PDFs were lost before the backup was made:\n${restored.lacking.join('\n')}`);
  }
  print(
    'Sign in again with the operator secret of this place. Links to PDFs of other link keys are dead; new ones work.',
  );
}

function contents({ rows, pdfs }: { rows: Readonly<Record<string, number>>; pdfs: number }): string {
  const { keys = 0, certificates = 0, audit = 0 } = rows;
  return `${keys} keys, ${certificates} certificates with ${pdfs} PDFs, ${audit} audit entries`;
}

/** The file itself, or the newest backup of a folder. */
async function newestOf(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return path;
  const newest = (await readdir(path)).filter(name => /^compliance-.*\.jsonl\.gz$/.test(name)).sort();
  if (newest.length === 0) throw new Failure(`${path} holds no backup.`);
  return join(path, newest.at(-1)!);
}
