import { startTransition, useEffect, useState } from 'react';

/**
 * Returns false until the page is hydrated, so that a long page can hydrate quickly and then render the rest in a
 * transition. A page that hydrates all at once would delay the response to the first click. Suspense boundaries would
 * hydrate one by one, but if state changes before React has hydrated a boundary, React replaces the boundary's fields
 * and discards what the merchant has typed.
 */
export function useIsHydrated(): boolean {
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => startTransition(() => setIsHydrated(true)), []);
  return isHydrated;
}
