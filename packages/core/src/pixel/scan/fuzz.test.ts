import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '@compliance/fuzz';
import { describe, expect, it } from 'vitest';
import { captureOf } from '../testing/capture-of.ts';
import { TODAY } from '../testing/fixtures.ts';
import { extremes, mutate } from '../testing/mutate.ts';
import { scan } from './scan.ts';

const source = join(import.meta.dirname, '..');
const rules = join(source, 'rules');
const pages = readdirSync(rules).flatMap(rule => {
  const folder = join(rules, rule, 'fixtures');
  try {
    return readdirSync(folder)
      .filter(file => file.endsWith('.html'))
      .map(file => readFileSync(join(folder, file), 'utf8'));
  } catch {
    return [];
  }
});

function expectValidScore(html: string): void {
  const { score, score_breakdown } = scan(captureOf(html), TODAY);
  if (score === null) return;
  expect(score).toBeGreaterThanOrEqual(0);
  expect(score).toBeLessThanOrEqual(100);
  expect(score_breakdown.reduce((sum, line) => sum + line.points, 0)).toBe(100 - score);
}

describe('scan of broken pages', () => {
  it('never throws an error for a randomly mutated page', () => {
    const random = randomFrom(20_261_121);
    for (let i = 0; i < 400; i++) expectValidScore(mutate(pages, random));
  });

  it.each(extremes(4_000).map((html, i) => [i, html] as const))(
    'never throws an error for deeply nested or long input %i',
    (_i, html) => {
      expectValidScore(html);
    },
  );

  // A quadratic algorithm wouldn't finish within the test's time limit.
  it.each([
    ['letters', 'a'],
    ['tags', '<div>'],
    ['closing tags of unknown elements', '</x>'],
    ['attributes', 'a b '],
    ['entities', '&lt;'],
  ])('scans one line of ten million characters within the time limit (%s)', (_name, unit) => {
    expectValidScore(unit.repeat(Math.ceil(10_000_000 / unit.length)));
    expectValidScore(`<a ${unit.repeat(Math.ceil(1_000_000 / unit.length))}`);
  });

  it.each([
    ['a name', 'a'],
    ['strings', '"a"+'],
    ['calls', 'fbq("track","x");'],
    ['missing values', '"a":,'],
    ['brackets', '['],
    ['functions', 'function f(){fbq("init","1")}'],
    ['aliases', 'a=b;b=a;'],
  ])('scans a script with a million characters of %s within the time limit', (_name, unit) => {
    expectValidScore(`<script>${unit.repeat(Math.ceil(1_000_000 / unit.length))}</script>`);
  });
});

/** Returns the regular expressions in the source code, excluding tests. */
function expressions(): RegExp[] {
  const found: RegExp[] = [];
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.startsWith('testing')) continue;
    const text = readFileSync(join(source, file), 'utf8');
    for (const match of text.matchAll(
      /(?<=[=(,:[!&|?]\s*)\/((?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n*[\\])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n[\\])*)\/([gimsuy]*)/g,
    )) {
      found.push(new RegExp(match[1]!, match[2]!.replace('g', '')));
    }
  }
  return found;
}

describe('regular expressions', () => {
  const all = expressions();

  it('finds more than 60 regular expressions in the source code', () => {
    expect(all.length).toBeGreaterThan(60);
  });

  describe('matches every regular expression against a million repeated characters in linear time', () => {
    // A regular expression with quadratic running time would take minutes, far beyond the test's time limit.
    it.each([...'a0 -./"{&=:_x@E<+%#\n'])('%j', character => {
      const text = character.repeat(1_000_000);
      for (const expression of all) expression.test(text);
    });
  });
});
