import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';

/** Polling interval, in milliseconds. */
const POLL_MS = 2_000;

/** Reloads the page data at an interval while a job is running. */
export function usePolling(isRunning: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(revalidate, POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning, revalidate]);
}
