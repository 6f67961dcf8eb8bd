import type { Value } from './value.ts';

/** When code runs. `config` is data the platform runs; `inert` never runs as far as the page shows. */
export type State = 'run' | 'later' | 'gated' | 'config' | 'inert';

/** How sure a reading is: names and ids resolved, resolved with a guess, or only possibly so. */
export type Confidence = 'certain' | 'likely' | 'possible';

/** Which arm of which condition code stands in. Two pieces with the same condition and other arms exclude each other. */
export interface Arm {
  readonly condition: number;
  readonly arm: number;
}

/** The circumstances of one effect. */
export interface Site {
  /** Index of the script, and the offset in its source. */
  readonly script: number;
  readonly offset: number;
  readonly state: State;
  readonly confidence: Confidence;
  readonly arms: readonly Arm[];
  /** Names whose presence was tested before, as in `typeof fbq === 'function' && …`. */
  readonly guards: readonly string[];
  /** Functions around it, outermost first; a name is empty where the function has none. */
  readonly inside: readonly string[];
}

/**
 * What one script does to the world, as far as it can be told without running it.
 *
 * - `call`: a call of a name on the window, for example `fbq` or `_gaq.push`.
 * - `assign`: a value given to such a name. `define`: a function declared under it.
 * - `load`: an address given to an element's `src`. `request`: an address fetched, posted or beaconed.
 * - `write`: markup written into the page. `read`: a watched name read. `literal`: a watched word in a string or expression.
 * - `data`: a watched key of an object literal, with the source range of its value.
 */
export type Effect = Site &
  (
    | { readonly op: 'call'; readonly path: string; readonly args: readonly Value[]; readonly alias: boolean }
    | { readonly op: 'assign'; readonly path: string; readonly value: Value; readonly declared: boolean }
    | { readonly op: 'define'; readonly path: string; readonly empty: boolean }
    | { readonly op: 'load'; readonly url: string; readonly element: string }
    | { readonly op: 'request'; readonly url: string }
    | { readonly op: 'write'; readonly html: string }
    | { readonly op: 'read'; readonly path: string }
    | { readonly op: 'literal'; readonly text: string }
    | { readonly op: 'data'; readonly key: string; readonly value: Value; readonly from: number; readonly to: number }
  );
