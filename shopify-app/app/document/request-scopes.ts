import { useState } from 'react';

/** Asks the merchant for optional scopes that are missing. Gives whether all are granted now. */
async function requestScopes(scopes: readonly string[]): Promise<boolean> {
  const { granted } = await shopify.scopes.query();
  const missing = scopes.filter(scope => !granted.includes(scope));
  if (missing.length === 0) return true;
  const { result } = await shopify.scopes.request(missing);
  return result === 'granted-all';
}

/**
 * Optional scopes that are asked for at the moment that they are needed. `declined`: the merchant said no the last time.
 *
 * @example
 * const { declined, whenGranted } = useScopes('write_inventory');
 * whenGranted(() => save.submit(form, { method: 'post' }));
 */
export function useScopes(...scopes: readonly string[]) {
  const [declined, setDeclined] = useState(false);
  const whenGranted = async (act: () => void): Promise<void> => {
    const granted = await requestScopes(scopes);
    setDeclined(!granted);
    if (granted) act();
  };
  return { declined, whenGranted };
}
