/**
 * Coverage-guided fuzzing of code that parses untrusted input.
 *
 * A target is a `*.fuzz.ts` file next to the code that it tests. A target's corpus is the `*.fuzz.json` file with the
 * same name. The corpus contains inputs that increased code coverage when they were found, and inputs that once
 * violated an invariant.
 *
 * @module
 */

export { randomFrom } from './random.ts';
export type { FuzzTarget } from './target.ts';
