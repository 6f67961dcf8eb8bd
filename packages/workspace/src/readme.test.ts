import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMPLIANCE = 'npx --yes pnpm@12.21.0 -s compliance ';

const data = mkdtempSync(join(tmpdir(), 'compliance-readme-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** The fenced blocks of a page, by language. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(match => match[1]!);
}

/** Runs a command line of the page as the root's script of that name does. */
function compliance(line: string): string {
  const args = line.slice(COMPLIANCE.length).split(' ');
  if (args[0] === 'keys') args.push('--data', data);
  const main = join(ROOT, 'packages/cli/src/main.ts');
  const { FORCE_COLOR: _, DATABASE_URL: __, ...env } = process.env;
  return execFileSync(process.execPath, ['--conditions=@compliance/source', main, ...args], {
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1', COLUMNS: '100' },
  });
}

describe('the README', () => {
  it('shows the answer that the command gives', () => {
    const [shown] = blocks('README.md', '').filter(block => block.startsWith('$ compliance'));
    const [command, ...lines] = shown!.trimEnd().split('\n');
    expect(compliance(command!.replace('$ compliance ', COMPLIANCE)).split('\n').slice(0, lines.length)).toEqual(lines);
  });

  const commands = blocks('README.md', 'sh').flatMap(block =>
    block.split('\n').filter(line => line.startsWith(COMPLIANCE)),
  );
  it.each(commands)('has a command that works: %s', line => {
    expect(compliance(line)).not.toBe('');
  });

  it('names two commands that are scripts of the root', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(blocks('README.md', 'sh')[0]!.match(/pnpm@12\.21\.0 \w+/g)).toEqual([
      'pnpm@12.21.0 start',
      'pnpm@12.21.0 test',
    ]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'compliance']));
  });
});

describe('the snippets', () => {
  it.each([
    ['README.md', 'known_through'],
    ['packages/core/README.md', 'compare('],
  ])('of %s run', (page, mark) => {
    const snippet = blocks(page, 'ts').find(block => block.includes(mark))!;
    symlinkSync(join(ROOT, 'packages/cli/node_modules'), join(data, 'node_modules'), 'dir');
    writeFileSync(join(data, 'snippet.mjs'), snippet);
    execFileSync(process.execPath, ['--conditions=@compliance/source', 'snippet.mjs'], { cwd: data, encoding: 'utf8' });
    rmSync(join(data, 'node_modules'));
  });

  it('say what they promise in their comments', () => {
    for (const page of ['README.md', 'packages/core/README.md']) expect(blocks(page, 'ts').join('')).toContain('asOf');
    const { moved } = JSON.parse(compliance(`${COMPLIANCE}tariff diff 2026-06-07 2026-06-08 --json`));
    expect(readFileSync(join(ROOT, 'packages/core/README.md'), 'utf8')).toContain(`// ${moved.length} listings moved`);
  });
});
