/** Maximum length of the parameter text in an observation. Documented values are shorter than this limit. */
export const MAX_PARAMETER_TEXT = 120;

/**
 * An event parameter's value, as far as the scan can determine it.
 *
 * - `known`: a value in the code. `direct` is true if the value is in the call itself, and false if it's in a variable
 *   that unseen code might change.
 * - `partial`: a string with `UNRESOLVED` in place of each unknown part.
 * - `list` and `object`: values whose contents are known at least in part. `exact` is false if code that the scan can't
 *   follow might add items.
 * - `unknown`: any other value.
 */
export type ParameterValue =
  | { readonly kind: 'known'; readonly value: string | number | boolean | null; readonly direct: boolean }
  | { readonly kind: 'partial'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ParameterValue[]; readonly exact: boolean }
  | { readonly kind: 'object'; readonly parameters: EventParameters }
  | { readonly kind: 'unknown' };

/**
 * An event's parameters. `complete` states whether `values` contains every parameter: `yes` if the call itself contains
 * the parameters, `assumed` if a variable holds them, and `no` if the code adds parameters that the scan can't resolve.
 *
 * @example
 * // fbq('track', 'Purchase', { value: total, currency: 'USD' })
 * const currency: ParameterValue = { kind: 'known', value: 'USD', direct: true };
 * { values: new Map([['value', { kind: 'unknown' }], ['currency', currency]]), complete: 'yes' }
 */
export interface EventParameters {
  readonly values: ReadonlyMap<string, ParameterValue>;
  readonly complete: 'yes' | 'assumed' | 'no';
}
