import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as tariff from '@compliance/core/tariff';
import * as dataset from '@compliance/core/tariff/dataset';
import { describe, expect, it } from 'vitest';

const CORE = fileURLToPath(new URL('../../../core/src/', import.meta.url));

/** Names that each area's examples can use. */
const AREAS: Record<string, Record<string, unknown>> = { tariff: { ...tariff, ...dataset } };

interface Example {
  where: string;
  code: string;
}

/** Returns the `@example` code in each docstring. */
function examplesOf(area: string): Example[] {
  return globSync(`${area}/**/*.ts`, { cwd: CORE }).flatMap(file => {
    const docstrings = readFileSync(`${CORE}/${file}`, 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? [];
    return docstrings.flatMap(docstring => {
      const text = docstring.replace(/^\/\*\*|\*\/$/g, '').replace(/^\s*\* ?/gm, '');
      return text
        .split('@example')
        .slice(1)
        .map(code => ({ where: file, code: code.trim() }));
    });
  });
}

/**
 * Runs an example. A trailing comment states the expected value: `isCalendarDate('2026-02-29') // false`. If the
 * expected string ends with an ellipsis (…), the actual string must contain the text before the ellipsis.
 */
function run({ code }: Example, names: Record<string, unknown>): { got: unknown; promised: unknown }[] {
  const lines = code.split('\n').map(line => {
    const promise = /^(?!const )(.+?);? \/\/ (.+)$/.exec(line);
    return promise ? `promises.push({ got: ${promise[1]}, promised: ${promise[2]} });` : line;
  });
  const body = `const promises = [];\n${lines.join('\n')}\nreturn promises;`;
  return new Function(...Object.keys(names), body)(...Object.values(names));
}

describe.each(Object.entries(AREAS))('docstring examples in core/%s', (area, names) => {
  const examples = examplesOf(area);

  it.each(examples.filter(example => Object.keys(names).some(name => example.code.includes(`${name}(`))))(
    'returns the value stated in the comment: $where: $code',
    example => {
      for (const { got, promised } of run(example, names)) {
        if (typeof promised === 'string' && promised.endsWith('…')) expect(got).toContain(promised.slice(0, -1));
        else expect(got).toEqual(promised);
      }
    },
  );

  it('has an example for every public function', () => {
    const functions = Object.keys(names).filter(name => typeof names[name] === 'function' && /^[a-z]/.test(name));
    const without = functions.filter(name => !examples.some(example => example.code.includes(`${name}(`)));
    expect(without).toEqual([]);
  });
});
