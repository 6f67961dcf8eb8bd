import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';

/** How often a page asks how far its work is, in milliseconds. */
const POLL_MS = 2_000;

/** Loads the page's data again and again while work of it is under way. */
export function usePolling(isLive: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(revalidate, POLL_MS);
    return () => clearInterval(timer);
  }, [isLive, revalidate]);
}
