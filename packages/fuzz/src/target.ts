/**
 * What is tried with inputs of strangers: the default export of a file `*.fuzz.ts`.
 *
 * @example
 * export default {
 *   covers: ['packages/core/src/tariff/'],
 *   seeds: ['7318.15.2061'],
 *   maxLength: 64,
 *   holds(input) { if (read(write(input)) !== input) throw new Error('does not read back'); },
 * } satisfies FuzzTarget;
 */
export interface FuzzTarget {
  /** Whose branches guide the search: beginnings of paths from the root of the repository. */
  readonly covers: readonly string[];
  /** Inputs to begin with, beside the corpus. */
  readonly seeds: readonly string[];
  /** Texts that mean something to the reader; the texts in the covered code are known without being named. */
  readonly words?: readonly string[];
  /** `json`: the input is JSON and stays JSON when it is changed. */
  readonly shape?: 'json';
  /** The longest input, in UTF-16 units. */
  readonly maxLength: number;
  /** Done once before the first input. */
  open?(): Promise<void>;
  /** Done once after the last. */
  close?(): Promise<void>;
  /** Tries one input. Throws when a promise is broken; a refusal that is promised is none. */
  holds(input: string): void | Promise<void>;
}
