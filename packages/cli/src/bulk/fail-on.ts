import type { LookupResult } from '@compliance/core/tariff';
import { Option } from 'commander';
import { CliError } from '../cli-error.ts';

/** Results that can make the command fail. */
const FAILURES = {
  hit: (result: LookupResult) => result.hit,
  in_scope: (result: LookupResult) => result.in_scope,
  invalid: (result: LookupResult) => result.status === 'invalid',
};

/** The results named by `--fail-on`. */
export type FailOn = readonly (keyof typeof FAILURES)[];

/** `--fail-on` */
export function failOnOption(): Option {
  return new Option(
    '--fail-on <results>',
    'exit with 1 if any result is hit, in_scope, or invalid (comma-separated)',
  ).argParser(text => {
    const names = text.split(',').map(name => name.trim());
    if (names.some(name => !Object.hasOwn(FAILURES, name)))
      throw new CliError(`--fail-on ${text}: enter hit, in_scope, or invalid, or several separated by commas.`, 2);
    return names as readonly string[] as FailOn;
  });
}

/** Counts the results that make the command fail. */
export interface FailureCount {
  add(results: readonly LookupResult[]): void;
  /** @throws `CliError` if there are any, with their number */
  check(): void;
}

/** Creates a count of the results named by `--fail-on`. */
export function countFailures(names: FailOn = []): FailureCount {
  let total = 0;
  let failed = 0;
  return {
    add(results) {
      total += results.length;
      for (const result of results) if (names.some(name => FAILURES[name](result))) failed++;
    },
    check() {
      if (failed > 0) {
        const share = `${failed.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`;
        throw new CliError(`${share} results match --fail-on ${names.join(',')}.`);
      }
    },
  };
}
