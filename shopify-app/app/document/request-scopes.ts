/**
 * Asks the merchant for optional scopes, at the moment that they are needed. Gives whether all are granted now.
 *
 * @example if (!(await requestScopes(['write_inventory']))) setDeclined(true);
 */
export async function requestScopes(scopes: readonly string[]): Promise<boolean> {
  const { granted } = await shopify.scopes.query();
  const missing = scopes.filter(scope => !granted.includes(scope));
  if (missing.length === 0) return true;
  const { result } = await shopify.scopes.request(missing);
  return result === 'granted-all';
}
