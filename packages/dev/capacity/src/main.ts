// Measures job parts, compares the simulation with two measured configurations, and prints the capacity tables.
// Usage: pnpm capacity [--write]
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CERTIFICATE_NEEDS, CHECKS, isClose, partNeeds, runCheck } from './measure/check.ts';
import { workloads } from './model/workloads.ts';
import { capacityPage } from './page.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const [load] = loadavg() as [number];
const checks = [];
for (const check of CHECKS) {
  checks.push(await runCheck(check));
  const { name, predicted, measured } = checks.at(-1)!;
  process.stderr.write(`${name}: predicted ${Math.round(predicted)} ms, measured ${Math.round(measured)} ms\n`);
}
const certificates = await partNeeds(CERTIFICATE_NEEDS);
const codes = checks[0]!.needs;
const path = join(import.meta.dirname, '../../../../docs/capacity.md');
const page = capacityPage(
  { checks, needs: { codes, certificates }, workloads: workloads(codes, certificates) },
  {
    date: new Date().toISOString().slice(0, 10),
    hardware: `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}, Node ${process.versions.node}`,
    load,
  },
  readFileSync(path, 'utf8'),
);
if (values.write) writeFileSync(path, page);
else process.stdout.write(page.split(/^## /m)[0]!);
if (!checks.every(isClose)) process.exitCode = 1;
