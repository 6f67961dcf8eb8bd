// Installs the data set from each repository in the arguments, in order. A test kills this process during an update.
import { readFileSync } from 'node:fs';
import { updateLists } from '../update/update-lists.ts';

const [folder, root, ...repositories] = process.argv.slice(2) as [string, string, ...string[]];
for (const from of repositories) {
  await updateLists({ folder, from, trustedRoot: readFileSync(root), now: new Date() });
  process.stdout.write('.');
}
