import { expect, it } from 'vitest';
import { applyExceptions } from './exceptions.ts';

const problem = {
  unit: {
    file: 'docs/example.md',
    kind: 'paragraph',
    pool: 'docs',
    text: 'The judge answered the question.',
    pieces: [{ at: 0, line: 1, column: 1 }],
  },
  at: 10,
  rule: 'answer',
  message: 'An answer.',
} as const;
const exception = { file: 'docs/example.md', text: 'judge answered', rule: 'answer', reason: 'A court.' };

it('suppresses a problem if an exception covers its file, rule, and text', () => {
  expect(applyExceptions([problem], [exception])).toEqual({ problems: [], unused: [] });
});

it.each([
  ['another file', { ...exception, file: 'README.md' }],
  ['another rule', { ...exception, rule: 'judge' }],
  ['a text that is not in the unit', { ...exception, text: 'jury' }],
])('reports both the problem and the unused exception if the exception is for %s', (_, other) => {
  expect(applyExceptions([problem], [other])).toEqual({ problems: [problem], unused: [other] });
});
