import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../testing/run-cli.ts';

/** Words up to and including the word at the cursor, and words that the shell must and must not suggest. */
const LINES: [words: string[], suggested: string[], never: string[]][] = [
  [['k'], ['keys'], ['lookup']],
  [
    ['keys', ''],
    ['issue', 'rotate', 'usage'],
    ['keys', 'lookup'],
  ],
  [['keys', 'issue', '--scope', ''], ['pixel', 'render', 'entry', 'tariff', 'all'], ['--note']],
  [['keys', 'issue', '--'], ['--scope', '--note', '--env-file', '--help'], ['--port']],
  [['--env-file', 'x', 'serve', '--p'], ['--port'], ['--scope']],
  [['tariff', 'assess', '7318.15.2061', '--or'], ['--origin'], ['--scope']],
];

/** Each shell's arguments for loading a completion script and printing its suggestions, one per line. */
const SHELLS: Record<string, (script: string, words: string[]) => string[]> = {
  bash: (script, words) => [
    ...['--norc', '--noprofile', '-c'],
    `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _compliance; printf "%s\\n" "\${COMPREPLY[@]}"`,
    ...['bash', script, 'compliance', ...words],
  ],
  // zsh completes only in its line editor, so these functions print what the script passes to the editor.
  zsh: (script, words) => [
    ...['-f', '-c'],
    `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { :; }
     _describe() { local name; for name in "\${(@P)2}"; do [[ $name == $words[CURRENT]* ]] && print -- "\${name%%:*}"; done; true; }
     source "$1"; shift; words=("$@"); CURRENT=$#; _compliance`,
    ...['zsh', script, 'compliance', ...words],
  ],
  fish: (script, words) => [
    '--no-config',
    '-c',
    `source ${script}; complete -C '${['compliance', ...words].join(' ')}'`,
  ],
};

describe.each(Object.entries(SHELLS))('compliance completion %s', (shell, argumentsOf) => {
  const isMissing = spawnSync(shell, ['-c', 'true']).error !== undefined;
  const reason = isMissing ? ` (skipped: ${shell} is not installed)` : '';
  it.skipIf(isMissing)(`suggests commands, options, and values${reason}`, async () => {
    const { exitCode, stdout } = await runCli(['completion', shell]);
    expect(exitCode).toBe(0);
    const script = join(temporaryFolder(), 'completion');
    writeFileSync(script, stdout);
    for (const [words, suggested, never] of LINES) {
      const { status, stdout: printed, stderr } = spawnSync(shell, argumentsOf(script, words), { encoding: 'utf8' });
      expect([words, status, stderr]).toEqual([words, 0, '']);
      const found = printed.split('\n').map(line => line.split('\t')[0]);
      expect([words, found]).toEqual([words, expect.arrayContaining(suggested)]);
      expect(found.filter(word => never.includes(word!))).toEqual([]);
    }
  });
});

describe('compliance completion', () => {
  it('rejects an unknown shell and names the supported shells', async () => {
    expect(await runCli(['completion', 'csh'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('bash, zsh, fish'),
    });
  });
});
