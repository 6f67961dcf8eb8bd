/**
 * Fuzz target, which checks a parser's invariants with generated inputs. The default export of a `*.fuzz.ts` file.
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
  /** Path prefixes, relative to the repository root, of the files whose branches guide the search. */
  readonly covers: readonly string[];
  /** Seed inputs, in addition to the corpus. */
  readonly seeds: readonly string[];
  /** Strings that are significant to the parser. String literals in the covered code are included automatically. */
  readonly words?: readonly string[];
  /** Input format. `json` means that the input is JSON and remains valid JSON when it's mutated. */
  readonly shape?: 'json';
  /** Maximum input length, in UTF-16 code units. */
  readonly maxLength: number;
  /** Runs once before the first input. */
  open?(): Promise<void>;
  /** Runs once after the last input. */
  close?(): Promise<void>;
  /** Tries one input. Throws if an invariant is broken, but not if the code rejects the input as documented. */
  holds(input: string): void | Promise<void>;
}
