#!/usr/bin/env node
import { CommanderError } from 'commander';
import { CliError } from './cli-error.ts';
import { createProgram } from './program.ts';

// A reader such as `head` may close the pipe early, which isn't an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// Compose passes an unset variable as an empty one, so treat both as unset.
for (const [name, value] of Object.entries(process.env)) {
  if (name.startsWith('COMPLIANCE_') && value === '') delete process.env[name];
}

try {
  await (await createProgram(process.argv.slice(2))).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (error instanceof CliError) {
    process.stderr.write(`compliance: ${error.message}\n`);
    process.exitCode = error.exitCode;
  } else {
    throw error;
  }
}
