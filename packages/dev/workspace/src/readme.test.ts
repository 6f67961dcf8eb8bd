import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const COMPLIANCE = 'npx --yes pnpm@12.21.0 -s compliance ';

/** Returns a page's fenced code blocks in one language. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(match => match[1]!);
}

/** Runs a page's `compliance` command in the same way as the root script. */
function compliance(line: string): string {
  const args = line.slice(COMPLIANCE.length).split(' ');
  const main = join(ROOT, 'packages/cli/src/main.ts');
  const { FORCE_COLOR: _, DATABASE_URL: __, ...env } = process.env;
  return execFileSync(process.execPath, ['--conditions=@compliance/source', main, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
    env: { ...env, NO_COLOR: '1', COLUMNS: '100' },
  });
}

describe('the README', () => {
  it('has at most 150 lines', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('shows the actual output of the lookup command', () => {
    const [shown] = blocks('README.md', '').filter(block => block.startsWith('$ compliance'));
    const [command, ...lines] = shown!.trimEnd().split('\n');
    expect(compliance(command!.replace('$ compliance ', COMPLIANCE)).split('\n').slice(0, lines.length)).toEqual(lines);
  });

  it('mentions only commands that exist as scripts in the root package', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(blocks('README.md', 'sh')[0]!.match(/pnpm@12\.21\.0 \w+/g)).toEqual([
      'pnpm@12.21.0 start',
      'pnpm@12.21.0 test',
    ]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'compliance']));
  });
});
