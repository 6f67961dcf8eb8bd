#!/usr/bin/env node
import { CommanderError } from 'commander';
import { Failure } from './failure.ts';
import { createProgram } from './program.ts';

// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (error instanceof Failure) {
    process.stderr.write(`compliance: ${error.message}\n`);
    process.exitCode = error.exitCode;
  } else {
    throw error;
  }
}
