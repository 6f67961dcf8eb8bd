#!/usr/bin/env node
import { supportedNode } from './supported-node.ts';

// A reader such as `head` can close the pipe early, which isn't an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// Import the CLI only if the Node.js version is supported, because older versions lack some modules that the CLI uses.
const { required, isSupported } = supportedNode(process.versions.node);
if (isSupported) {
  const { run } = await import('./run.ts');
  await run(process.argv.slice(2));
} else {
  process.stderr.write(
    `compliance: This command requires Node.js ${required} or later, but you're running Node.js ${process.versions.node}. Install Node.js ${required} or later.\n`,
  );
  process.exitCode = 1;
}
