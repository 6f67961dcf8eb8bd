import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandList } from '../scripts/gen.ts';
import { COMMANDS } from './commands.gen.ts';
import { runCli } from './testing/run-cli.ts';

it('lists every file in commands/ in commands.gen.ts (run `pnpm gen`)', async () => {
  expect(readFileSync(new URL('commands.gen.ts', import.meta.url), 'utf8')).toBe(await commandList());
});

it('shows every command and its description in the help', async () => {
  const { exitCode, stdout } = await runCli(['--help']);
  expect(exitCode).toBe(0);
  const help = stdout.replace(/\s+/g, ' ');
  for (const { name } of COMMANDS) expect(help).toMatch(new RegExp(` ${name}\\b`));
  for (const { description } of COMMANDS) expect(help).toContain(description);
});

it('loads only the command selected by the arguments', async () => {
  const { createProgram } = await import('./program.ts');
  const program = await createProgram(['lookup', '7318.15.2061', 'serve']);
  const loaded = program.commands.filter(command => command.options.length > 0 || command.commands.length > 0);
  expect(loaded.map(command => command.name())).toEqual(['lookup']);
});

it('shows command options with help COMMAND and with COMMAND --help', async () => {
  const [help, flag] = await Promise.all([runCli(['help', 'certify']), runCli(['certify', '--help'])]);
  expect(help.stdout).toContain('--template');
  expect(flag).toEqual(help);
});
