import { violationsOf } from './model/tally.ts';
import { runScenario, type ScenarioOutcome } from './run-scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';

/** Duration of each load phase, in milliseconds. */
const PHASE_MS = 4_000;

const HEAD = ['scenario', 'engine', 'requests', 'acknowledged', 'retried', 'lost', 'unexplained', 'resets', 'seconds'];

function cellsOf({ name, engine, seconds, skipped, tally }: ScenarioOutcome): string[] {
  if (skipped !== null) return [name, engine, `skipped: ${skipped}`];
  const retried = [...tally.explained.values()].reduce((sum, count) => sum + count, 0);
  const { requests, acknowledged, lost, unexplained, resets } = tally;
  const counts = [requests, acknowledged.length, retried, lost.length, unexplained.length, resets.length];
  return [name, engine, ...counts.map(String), seconds.toFixed(1)];
}

function printRow(cells: readonly string[]): void {
  const widths = [28, 9, 9, 13, 8, 5, 12, 7, 8];
  process.stdout.write(
    `${cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' ')}\n`,
  );
}

const [filter = ''] = process.argv.slice(2);
let violations = 0;
printRow(HEAD);
for (const scenario of SCENARIOS.filter(({ name }) => name.includes(filter))) {
  for (const engine of scenario.engines) {
    const outcome = await runScenario(scenario, engine, PHASE_MS);
    printRow(cellsOf(outcome));
    const { explained, facts } = outcome.tally;
    const notes = [...[...explained].map(([code, count]) => `${count} × ${code}`), ...facts];
    if (notes.length > 0) process.stdout.write(`  ${notes.join(', ')}\n`);
    const found = violationsOf(outcome.tally);
    for (const violation of new Set(found)) process.stdout.write(`  ${violation}\n`);
    violations += found.length;
  }
}
process.stdout.write(`\n${violations === 0 ? 'No violations.' : `Violations: ${violations}`}\n`);
process.exit(violations === 0 ? 0 : 1);
