/** Beginnings of secrets that people copy from examples and forget; none that chance would make. */
const SAMPLE =
  /^(change|example|sample|default|secret|password|operator|insert|replace|(test|demo|dev|todo|my|your)[-_. ]|(my|your|test|demo)(secret|password|operator|key))/i;

/** Fewer different characters than these in a text of 32 or more were never drawn at random. */
const MIN_DIFFERENT = 10;

/** Whether a secret looks as if it came from an example or a key that stuck, and is known to others. */
export function isSample(secret: string): boolean {
  return SAMPLE.test(secret) || new Set(secret).size < MIN_DIFFERENT;
}
