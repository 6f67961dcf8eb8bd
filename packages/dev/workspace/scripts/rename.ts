// Changes the npm scope, the repository URL, or both in all tracked text files.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY_ROOT } from '../src/shipping/pnpm.ts';
import { renameProject } from '../src/shipping/rename.ts';

const { values } = parseArgs({ options: { scope: { type: 'string' }, repository: { type: 'string' } } });
const files = execFileSync('git', ['ls-files', '-z'], { cwd: REPOSITORY_ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  .split('\0')
  .filter(file => file !== '' && existsSync(join(REPOSITORY_ROOT, file)));
const changed = renameProject(REPOSITORY_ROOT, files, values);
process.stdout.write(
  changed.length === 0
    ? 'Nothing changed. Specify a new --scope, a new --repository, or both.\n'
    : `Changed ${changed.length} files. Next, run: pnpm install && pnpm gen && pnpm fix && pnpm test\n`,
);
