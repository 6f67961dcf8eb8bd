// Creates the files for a new operation, rule, or list. Usage: pnpm new KIND NAME
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scaffold } from './scaffold.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Names of the scaffold kinds. Each kind is defined by a file in this folder whose default export is a `Scaffold`. */
const kinds = globSync('*.ts', { cwd: import.meta.dirname })
  .map(file => basename(file, '.ts'))
  .filter(name => !/^(main|scaffold)$|\.test$/.test(name))
  .sort();

const [kind = '', name = ''] = process.argv.slice(2);

async function create(): Promise<string> {
  if (!kinds.includes(kind)) return `Usage: pnpm new ${kinds.join('|')} NAME`;
  const { default: scaffold } = (await import(`./${kind}.ts`)) as { default: Scaffold };
  if (name === '') return `Usage: pnpm new ${kind} NAME, such as ${scaffold.example}`;
  if (!scaffold.name.test(name))
    return `${JSON.stringify(name)} isn't a valid ${kind} name. Use a name such as ${scaffold.example}.`;
  const files = Object.entries(scaffold.files(name));
  const existing = files.filter(([path]) => existsSync(join(ROOT, path)));
  if (existing.length > 0) return `${existing[0]![0]} already exists.`;
  for (const [path, text] of files) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
  process.stdout.write(`${['Created:', ...files.map(([path]) => `  ${path}`), '', scaffold.next].join('\n')}\n`);
  return '';
}

const problem = await create();
if (problem !== '') {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}
