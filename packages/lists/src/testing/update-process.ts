// Installs the data sets from the repositories given as arguments, one after the other. A test kills this process
// during an update.
import { readFileSync } from 'node:fs';
import { updateLists } from '../update/update-lists.ts';

const [folder, root, ...repositories] = process.argv.slice(2) as [string, string, ...string[]];
for (const from of repositories) {
  await updateLists({ folder, from, trustedRoot: readFileSync(root), now: new Date() });
  process.stdout.write('.');
}
