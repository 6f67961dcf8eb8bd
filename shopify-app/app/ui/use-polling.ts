import { useRevalidator } from '@remix-run/react';
import { useEffect, useRef } from 'react';

/** Polling interval, in milliseconds. */
const POLL_MS = 2_000;

/** Reloads the page data at an interval while a job is running. */
export function usePolling(isRunning: boolean): void {
  const { revalidate, state } = useRevalidator();
  const isIdle = useRef(true);
  isIdle.current = state === 'idle';
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      // Wait for the previous reload to finish. Starting another reload would cancel the current one, so on a slow
      // connection the page would never get its data.
      if (isIdle.current) revalidate();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning, revalidate]);
}
