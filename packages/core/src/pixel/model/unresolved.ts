/**
 * Placeholder character for each part of a string that static analysis can't resolve. A parsed page never contains this
 * character.
 */
export const UNRESOLVED = '\u0000';
