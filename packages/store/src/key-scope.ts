/** Key scopes: one for each of the three API areas, `render` for scans that also render pages, and `all`. */
export const KEY_SCOPES = ['pixel', 'render', 'entry', 'tariff', 'all'] as const;

/** Scope of a key, one of {@link KEY_SCOPES}. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * Returns whether a key's scope includes another scope: `all` includes every scope, and `render` includes `pixel`,
 * because each rendering is based on a scan.
 *
 * @example includesScope('render', 'pixel') // true
 */
export function includesScope(scope: KeyScope, required: KeyScope): boolean {
  return scope === required || scope === 'all' || (scope === 'render' && required === 'pixel');
}

/**
 * Returns the scopes that include the given scope.
 *
 * @example scopesIncluding('pixel').join() // 'pixel,render,all'
 */
export const scopesIncluding = (required: KeyScope): KeyScope[] =>
  KEY_SCOPES.filter(scope => includesScope(scope, required));
