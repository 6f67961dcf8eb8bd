/**
 * Prefixes of secrets that people copy from examples and forget to change. Random secrets don't start with these
 * prefixes.
 */
const SAMPLE =
  /^(change|example|sample|default|secret|password|operator|insert|replace|(test|demo|dev|todo|my|your)[-_. ]|(my|your|test|demo)(secret|password|operator|key))/i;

/**
 * Minimum number of distinct characters in a secret. A random string of 32 or more characters always has at least this
 * many.
 */
const MIN_DISTINCT = 10;

/** Returns whether a secret is guessable because it looks copied from an example or typed by holding down one key. */
export function isSample(secret: string): boolean {
  return SAMPLE.test(secret) || new Set(secret).size < MIN_DISTINCT;
}
