import { useState } from 'react';

/** Asks the merchant to grant any missing optional scopes. Returns whether all scopes are granted. */
async function requestScopes(scopes: readonly string[]): Promise<boolean> {
  const { granted } = await shopify.scopes.query();
  const missing = scopes.filter(scope => !granted.includes(scope));
  if (missing.length === 0) return true;
  const { result } = await shopify.scopes.request(missing);
  return result === 'granted-all';
}

/**
 * Requests optional scopes when they are needed. `declined` is true if the merchant declined the last request.
 *
 * @example
 * const { declined, whenGranted } = useOptionalScopes('write_inventory');
 * whenGranted(() => save.submit(form, { method: 'post' }));
 */
export function useOptionalScopes(...scopes: readonly string[]) {
  const [declined, setDeclined] = useState(false);
  const whenGranted = async (callback: () => void): Promise<void> => {
    const granted = await requestScopes(scopes);
    setDeclined(!granted);
    if (granted) callback();
  };
  return { declined, whenGranted };
}
