/**
 * Coverage-guided fuzzing of whatever reads a stranger's bytes.
 *
 * A target is a file `*.fuzz.ts` beside what it tries. Its corpus is the file `*.fuzz.json` of the same name: the inputs that
 * reach code which no other reaches, and those that once broke a promise.
 *
 * @module
 */

export { randomFrom } from './random.ts';
export type { FuzzTarget } from './target.ts';
