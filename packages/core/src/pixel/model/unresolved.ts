/**
 * Character that marks a string part that static analysis can't resolve. A parsed page never contains this character.
 */
export const UNRESOLVED = '\u0000';
