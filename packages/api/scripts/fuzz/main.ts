// Fuzzes every v1 and v0 operation with valid and invalid requests, which Schemathesis generates from the OpenAPI
// documents. Runs all Schemathesis phases and checks. If a check fails and `reviewed.yaml` doesn't explain the failure,
// the run fails. Requires Python 3.11 or later. The first run installs Schemathesis from PyPI.
//
//   pnpm fuzz:api [--max-examples 200] [other Schemathesis arguments]
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckFailure, readReport } from './report.ts';
import { entriesFor, REVIEWED, type ReviewedFailure } from './reviewed.ts';
import { installSchemathesis, runSchemathesis } from './schemathesis.ts';
import { startFuzzedService } from './service.ts';

/** Maximum number of characters to print for each message, request, and response. */
const MAX_PRINTED = 2_000;
/** Maximum number of failure types to print for each document. */
const MAX_FAILURES = 20;

/**
 * Prints the Schemathesis results. Returns true if Schemathesis sent at least one request and every failure was
 * reviewed.
 */
function judge(version: string, cases: number, failures: readonly CheckFailure[], seen: Set<ReviewedFailure>): boolean {
  const found = failures.filter(failure => {
    const entries = entriesFor(failure, REVIEWED);
    for (const each of entries ?? []) seen.add(each);
    return entries === null;
  });
  const kindOf = ({ operation, check, status, details }: CheckFailure) =>
    `${check}, ${operation}, ${status}, ${[...new Set(details)].join(', ')}`;
  const kinds = [...Map.groupBy(found, kindOf)];
  for (const [kind, [{ message, request, response }, ...more]] of kinds.slice(0, MAX_FAILURES) as [
    string,
    [CheckFailure],
  ][]) {
    console.error(`\nNew failure: ${kind}${more.length > 0 ? ` (${more.length} more like this)` : ''}`);
    for (const text of [message, request, response]) console.error(`  ${text.slice(0, MAX_PRINTED)}`);
  }
  const reviewed = failures.length - found.length;
  console.log(`${version}: ${cases} requests, ${found.length} new failures, ${reviewed} reviewed failures`);
  return cases > 0 && found.length === 0;
}

async function main(): Promise<number> {
  const missing = installSchemathesis();
  if (missing) {
    console.log(`SKIPPED: ${missing}.`);
    return process.env.CI ? 1 : 0;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-fuzz-'));
  const service = await startFuzzedService(dataDir);
  const seen = new Set<ReviewedFailure>();
  const passed: boolean[] = [];
  // With two accounts, Schemathesis also checks that an account can't read certificates that belong to another account.
  const accounts = service.keys.map((key, index) => ({
    name: `account ${index + 1}`,
    fixedHeaders: [{ name: 'Authorization', value: `Bearer ${key}` }],
  }));
  const auth = join(dataDir, 'accounts.json');
  await writeFile(auth, JSON.stringify({ auth: accounts }));
  for (const [version, document, options] of [
    ['v1', '/openapi.yaml', ['--auth-wfc', auth]],
    ['v0', '/api/openapi.json', []],
  ] as const) {
    const report = join(dataDir, `${version}.ndjson`);
    const args = [...options, ...process.argv.slice(2)];
    const code = await runSchemathesis(service.base + document, { report, cwd: dataDir, args });
    const { cases, failures } = await readReport(report);
    // The exit code is 0 if all checks passed or 1 if a check failed. Any other code means that Schemathesis couldn't
    // finish.
    passed.push(judge(version, cases, failures, seen) && code <= 1 && (code === 0 || failures.length > 0));
  }
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
  for (const failure of service.failures) console.error(failure);
  const unseen = REVIEWED.filter(each => !seen.has(each));
  for (const { check, status, details } of unseen) {
    console.log(`This run didn't reproduce a reviewed failure: ${check}, ${status}, ${details.join(', ')}`);
  }
  const failed = passed.includes(false) || service.failures.length > 0;
  console.log(`${service.requests()} requests; ${failed ? 'failed' : 'passed'}.`);
  return failed ? 1 : 0;
}

if (import.meta.main) process.exitCode = await main();
