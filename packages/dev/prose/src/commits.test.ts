import { expect, it } from 'vitest';
import { checkSubject } from './commits.ts';

it.each(['store: rename a function', 'fake-shopify: return the new error'])(
  'accepts the commit subject: %s',
  subject => {
    expect(checkSubject(subject)).toEqual([]);
  },
);

it.each([
  ['Rename a function', 'area'],
  ['store: Rename a function', 'lowercase'],
  [`store: ${'rename '.repeat(10)}`, '72 characters'],
  ['store: rename a function.', 'period'],
])('rejects the commit subject: %s', (subject, problem) => {
  expect(checkSubject(subject).join()).toContain(problem);
});
