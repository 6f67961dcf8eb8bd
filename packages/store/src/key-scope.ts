/** Key scopes: one for each of the three API areas, and `all`. */
export const KEY_SCOPES = ['pixel', 'entry', 'tariff', 'all'] as const;

/** Scope of a key, one of {@link KEY_SCOPES}. */
export type KeyScope = (typeof KEY_SCOPES)[number];
