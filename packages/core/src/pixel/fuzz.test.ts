import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '@compliance/fuzz';
import { describe, expect, it } from 'vitest';
import { scan } from './scan.ts';
import { captureOf } from './testing/capture-of.ts';
import { TODAY } from './testing/fixtures.ts';
import { extremes, mutate } from './testing/mutate.ts';

const rules = join(import.meta.dirname, 'rules');
const pages = readdirSync(rules).flatMap(rule => {
  const folder = join(rules, rule, 'fixtures');
  try {
    return readdirSync(folder).map(file => readFileSync(join(folder, file), 'utf8'));
  } catch {
    return [];
  }
});

function holdsFor(html: string): void {
  const { score, score_breakdown } = scan(captureOf(html), TODAY);
  if (score === null) return;
  expect(score).toBeGreaterThanOrEqual(0);
  expect(score).toBeLessThanOrEqual(100);
  expect(score_breakdown.reduce((sum, line) => sum + line.points, 0)).toBe(100 - score);
}

describe('broken pages', () => {
  it('never stop a scan', () => {
    const random = randomFrom(20_261_121);
    for (let i = 0; i < 400; i++) holdsFor(mutate(pages, random));
  });

  it.each(extremes(4_000).map((html, i) => [i, html] as const))(
    'never stop a scan by nesting or length (%i)',
    (_i, html) => {
      holdsFor(html);
    },
  );

  // A loop that looks at every character again for every character would not end within the limit of a test.
  it.each([
    ['letters', 'a'],
    ['tags', '<div>'],
    ['ends of unknown tags', '</x>'],
    ['attributes', 'a b '],
    ['entities', '&lt;'],
  ])('are read in time when they are one line of ten million characters: %s', (_name, unit) => {
    holdsFor(unit.repeat(Math.ceil(10_000_000 / unit.length)));
    holdsFor(`<a ${unit.repeat(Math.ceil(1_000_000 / unit.length))}`);
  });

  it.each([
    ['a name', 'a'],
    ['strings', '"a"+'],
    ['calls', 'fbq("track","x");'],
    ['holes', '"a":,'],
    ['brackets', '['],
    ['functions', 'function f(){fbq("init","1")}'],
    ['aliases', 'a=b;b=a;'],
  ])('are read in time when a script is a million characters of %s', (_name, unit) => {
    holdsFor(`<script>${unit.repeat(Math.ceil(1_000_000 / unit.length))}</script>`);
  });
});

/** Regular expressions of the source, without those in tests. */
function expressions(): RegExp[] {
  const found: RegExp[] = [];
  for (const file of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.startsWith('testing')) continue;
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const match of source.matchAll(
      /(?<=[=(,:[!&|?]\s*)\/((?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n*[\\])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n[\\])*)\/([gimsuy]*)/g,
    )) {
      found.push(new RegExp(match[1]!, match[2]!.replace('g', '')));
    }
  }
  return found;
}

describe('every regular expression', () => {
  const all = expressions();

  it('is found in the source', () => {
    expect(all.length).toBeGreaterThan(60);
  });

  it('takes a million repeated characters in one pass', () => {
    for (const unit of [
      'a',
      '0',
      ' ',
      '-',
      '.',
      '/',
      '"',
      '{',
      '&',
      '=',
      ':',
      '_',
      'x',
      '@',
      'E',
      '<',
      '+',
      '%',
      '#',
      '\n',
    ]) {
      const text = unit.repeat(1_000_000);
      for (const expression of all) {
        expression.test(text);
        text.search(expression);
      }
    }
  });
});
