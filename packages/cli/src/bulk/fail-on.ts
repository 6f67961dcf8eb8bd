import type { LookupResult } from '@compliance/core/tariff';
import { Option } from 'commander';
import { CliError } from '../cli-error.ts';

/** Conditions that `--fail-on` accepts, by name. */
const FAILURES = {
  hit: (result: LookupResult) => result.hit,
  in_scope: (result: LookupResult) => result.in_scope,
  invalid: (result: LookupResult) => result.status === 'invalid',
};

/** Names of the conditions selected with `--fail-on`. */
export type FailOn = readonly (keyof typeof FAILURES)[];

/** Returns the `--fail-on` option. */
export function failOnOption(): Option {
  return new Option(
    '--fail-on <results>',
    'exit with code 1 if any result matches one of these conditions (comma-separated): hit, in_scope, invalid',
  ).argParser(text => {
    const names = text.split(',').map(name => name.trim());
    if (names.some(name => !Object.hasOwn(FAILURES, name)))
      throw new CliError(
        `--fail-on ${text}: enter hit, in_scope, or invalid. Separate multiple values with commas.`,
        2,
      );
    return names as readonly string[] as FailOn;
  });
}

/** Counts the results that match `--fail-on`. */
export interface FailureCount {
  add(results: readonly LookupResult[]): void;
  /** Fails if any results match. @throws `CliError` with the number of matching results */
  check(): void;
}

/** Creates a counter for results that match the conditions in `names`. */
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
