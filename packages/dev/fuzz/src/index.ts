/**
 * Coverage-guided fuzzing of every parser of untrusted input.
 *
 * A target is a `*.fuzz.ts` file next to the code that it tests. The corpus of a target is the `*.fuzz.json` file with the same
 * name. The corpus contains inputs that reach code that isn't reached by other inputs, and inputs that once broke an invariant.
 *
 * @module
 */

export { randomFrom } from './random.ts';
export type { FuzzTarget } from './target.ts';
