// Plays the vectors in every supported runtime that this machine has or can bring, and prints one table. Fails when a case
// does; under CI also when a runtime is missing.
import { execFileSync } from 'node:child_process';
import { canCancel } from '../src/play/at-hand.ts';
import { readCases } from '../src/play/case.ts';
import { play } from '../src/play/play.ts';
import { goRuntime, nodeRuntimes, pythonRuntimes, workshop } from '../src/play/runtimes.ts';
import { startPlayServer } from '../src/play/server.ts';

const NODES = ['18.20.8', '20.20.2', '22.23.3', '24.21.0', '26.10.0'];
const GOS = ['go1.21.13', 'go1.22.12', 'go1.23.12', 'go1.24.13', undefined];

/** The path of a Node from the registry. */
function bring(version: string): string {
  const npx = ['--yes', '-p', `node-linux-${process.arch}@${version}`, '-c', 'command -v node'];
  return execFileSync('npx', npx, { encoding: 'utf8' }).trim();
}

const { folder, close } = workshop();
const server = await startPlayServer();
const runtimes = [
  ...(await nodeRuntimes(folder, NODES.map(bring))),
  ...(await pythonRuntimes(true)),
  ...(await Promise.all(GOS.map(toolchain => goRuntime(folder, toolchain)))),
];

for (const runtime of runtimes) {
  if ('missing' in runtime) {
    console.log(`${runtime.name.padEnd(24)} skipped: ${runtime.missing}`);
    if (process.env.CI) process.exitCode = 1;
    continue;
  }
  const cases = readCases().filter(each => canCancel(runtime) || each.options?.cancelAfter === undefined);
  const faults = await play(runtime, cases, server);
  const failed = [...faults].filter(([, found]) => found.length > 0);
  console.log(`${runtime.name.padEnd(24)} ${cases.length - failed.length} of ${cases.length}`);
  for (const [id, found] of failed) console.log(`  ${id}: ${found.join('; ')}`);
  if (failed.length > 0) process.exitCode = 1;
}
await server.stop();
close();
