/**
 * Coverage-guided fuzzing of code that parses untrusted input.
 *
 * A target is a `*.fuzz.ts` file next to the code that it tests. A target's corpus is the `*.fuzz.json` file with the
 * same name. The corpus contains inputs that reached new code when they were found, and inputs that once broke an
 * invariant.
 *
 * @module
 */

export { randomFrom } from './random.ts';
export type { FuzzTarget } from './target.ts';
