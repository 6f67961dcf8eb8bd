// Runs the test cases in every supported runtime that is installed or can be downloaded, and prints the results as a
// table. Fails if a test case fails. In CI, this script also fails if a runtime is missing.
import { execFileSync } from 'node:child_process';
import { canRun } from '../src/runner/available.ts';
import { readCases } from '../src/runner/case.ts';
import { startCaseServer } from '../src/runner/case-server.ts';
import { runCases } from '../src/runner/run-cases.ts';
import { buildFolder, goRuntime, nodeRuntimes, pythonRuntimes } from '../src/runner/runtimes.ts';

const NODES = ['18.20.8', '20.20.2', '22.23.3', '24.21.0', '26.10.0'];
const GOS = ['go1.21.13', 'go1.22.12', 'go1.23.12', 'go1.24.13', undefined];

/** Downloads a Node version from the npm registry and returns the path of its executable. */
function downloadNode(version: string): string {
  const npx = ['--yes', '-p', `node-linux-${process.arch}@${version}`, '-c', 'command -v node'];
  return execFileSync('npx', npx, { encoding: 'utf8' }).trim();
}

const { folder, close } = buildFolder();
const server = await startCaseServer();
const runtimes = [
  ...(await nodeRuntimes(folder, NODES.map(downloadNode))),
  ...(await pythonRuntimes(true)),
  ...(await Promise.all(GOS.map(toolchain => goRuntime(folder, toolchain)))),
];

for (const runtime of runtimes) {
  if ('missing' in runtime) {
    console.log(`${runtime.name.padEnd(24)} skipped: ${runtime.missing}`);
    if (process.env.CI) process.exitCode = 1;
    continue;
  }
  const cases = readCases().filter(each => canRun(runtime, each));
  const failures = await runCases(runtime, cases, server);
  const failed = [...failures].filter(([, found]) => found.length > 0);
  console.log(`${runtime.name.padEnd(24)} ${cases.length - failed.length} of ${cases.length}`);
  for (const [id, found] of failed) console.log(`  ${id}: ${found.join('; ')}`);
  if (failed.length > 0) process.exitCode = 1;
}
await server.stop();
close();
