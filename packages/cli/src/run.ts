import { CommanderError } from 'commander';
import { CliError } from './cli-error.ts';
import { createProgram } from './program.ts';
import { version } from './version.ts';

/** Runs `compliance` with the given arguments and sets the process's exit code. */
export async function run(args: readonly string[]): Promise<void> {
  // Docker Compose passes an unset variable as an empty string, so treat empty variables as unset.
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith('COMPLIANCE_') && value === '') delete process.env[name];
  }
  try {
    await (await createProgram(args)).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else if (error instanceof CliError) {
      process.stderr.write(`compliance: ${error.message}\n`);
      process.exitCode = error.exitCode;
    } else {
      process.stderr.write(`compliance: ${unexpected(error)}\n`);
      process.exitCode = 1;
    }
  }
}

/** Describes an unexpected error, including the details that a bug report needs. */
function unexpected(error: unknown): string {
  const { stack } = error as Error;
  return `Unexpected error in release ${version}. This is a bug. Report the bug, and include this text:\n${stack ?? String(error)}`;
}
