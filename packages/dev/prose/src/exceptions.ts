import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Problem } from './problem.ts';

const Exceptions = z.array(
  z.strictObject({
    file: z.string().min(1),
    text: z.string().min(1),
    rule: z.string().min(1),
    reason: z.string().min(1),
  }),
);

/** Reviewed exception. If a text unit in `file` contains `text`, the unit is allowed to break `rule`. */
export type Exception = z.infer<typeof Exceptions>[number];

/** Reads the reviewed exceptions from `exceptions.json`. */
export function readExceptions(): Exception[] {
  return Exceptions.parse(JSON.parse(readFileSync(new URL('../exceptions.json', import.meta.url), 'utf8')));
}

/** Returns the problems that no exception covers, and the exceptions that don't cover any problem. */
export function applyExceptions(
  problems: readonly Problem[],
  exceptions: readonly Exception[],
): { readonly problems: Problem[]; readonly unused: Exception[] } {
  const used = new Set<Exception>();
  const rest = problems.filter(problem => {
    const exception = exceptions.find(
      ({ file, text, rule }) => file === problem.unit.file && rule === problem.rule && problem.unit.text.includes(text),
    );
    if (exception) used.add(exception);
    return !exception;
  });
  return { problems: rest, unused: exceptions.filter(exception => !used.has(exception)) };
}
