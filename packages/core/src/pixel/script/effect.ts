import type { Branch, Confidence, State } from '../model/execution.ts';
import type { Value } from './value.ts';

/** Location of an effect, and the conditions that must be met for it to occur. */
export interface EffectContext {
  /** Index of the script. */
  readonly script: number;
  /** Position in the script's source code. */
  readonly offset: number;
  readonly state: State;
  readonly confidence: Confidence;
  readonly branches: readonly Branch[];
  /** Names that a condition tests before the code runs, as in `typeof fbq === 'function' && …`. */
  readonly guards: readonly string[];
  /** Enclosing functions, outermost first. An anonymous function has an empty name. */
  readonly inside: readonly string[];
}

/**
 * A script's side effect that static analysis can detect.
 *
 * - `call`: calls a function that is a window property, such as `fbq` or `_gaq.push`.
 * - `assign`: assigns a value to a window property. `define`: declares a function as a window property.
 * - `load`: loads a URL, for example by setting an element's `src`. `request`: sends a request with `fetch`, XHR, or a
 *   beacon.
 * - `write`: writes markup to the page. `read`: reads a window property whose name starts with `Shopify`. `literal`:
 *   contains a string or regular expression with text that the scan looks for.
 * - `data`: contains an object literal with a key that the scan looks for. `from` and `to` are the source range of the
 *   key's value.
 */
export type Effect = EffectContext &
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
