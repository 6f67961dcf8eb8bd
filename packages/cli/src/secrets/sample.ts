/**
 * Prefixes of secrets that people copy from examples and forget to change. Random secrets don't start with these
 * prefixes.
 */
const SAMPLE =
  /^(change|example|sample|default|secret|password|operator|insert|replace|(test|demo|dev|todo|my|your)[-_. ]|(my|your|test|demo)(secret|password|operator|key))/i;

/**
 * Minimum number of distinct characters in a secret. A random string of 32 or more characters almost always has at
 * least this many distinct characters.
 */
const MIN_DISTINCT = 10;

/** Checks whether a secret looks like a sample value or has too few distinct characters. */
export function isSample(secret: string): boolean {
  return SAMPLE.test(secret) || new Set(secret).size < MIN_DISTINCT;
}
