/**
 * Scans mutated pages until the time limit is reached. Usage: `pnpm --filter @compliance/core fuzz [minutes] [seed]`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scan } from '@compliance/core/pixel';
import { randomFrom } from '@compliance/fuzz';
import { captureOf } from '../src/pixel/testing/capture-of.ts';
import { mutate } from '../src/pixel/testing/mutate.ts';

const [minutes = '1', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const corpus = join(import.meta.dirname, '../../../../shared/data/pixel-corpus/pages');
const rules = join(import.meta.dirname, '../src/pixel/rules');
const files = existsSync(corpus)
  ? readdirSync(corpus).map(file => join(corpus, file))
  : readdirSync(rules, { recursive: true, encoding: 'utf8' }).flatMap(file =>
      file.endsWith('.html') ? [join(rules, file)] : [],
    );
const pages = files.map(file => readFileSync(file, 'utf8')).filter(page => page.length < 700_000);

const random = randomFrom(Number(seed));
const end = Date.now() + Number(minutes) * 60_000;
let runs = 0;
let slowest = 0;
while (Date.now() < end) {
  const html = mutate(pages, random);
  const start = performance.now();
  const { score, score_breakdown } = scan(captureOf(html), { asOf: '2026-11-21' });
  slowest = Math.max(slowest, (performance.now() - start) / Math.max(1, html.length / 1_000_000));
  const sum = score_breakdown.reduce((total, line) => total + line.points, 0);
  if (score !== null && !(score >= 0 && score <= 100 && sum === 100 - score))
    throw new Error(`seed ${seed}, run ${runs}: score ${score}`);
  runs++;
}
process.stdout.write(
  `${runs} mutations of ${pages.length} pages, seed ${seed}: no exceptions, all scores from 0 to 100; slowest page: ${Math.round(slowest)} ms per million characters\n`,
);
