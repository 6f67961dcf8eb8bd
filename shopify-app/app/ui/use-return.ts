import { useEffect } from 'react';

/** Calls a function when the page opens, and each time the merchant returns to the page from another tab. */
export function useReturn(isEnabled: boolean, onReturn: () => void): void {
  useEffect(() => {
    if (!isEnabled) return;
    const check = () => {
      if (document.visibilityState === 'visible') onReturn();
    };
    check();
    document.addEventListener('visibilitychange', check);
    return () => document.removeEventListener('visibilitychange', check);
  }, [isEnabled, onReturn]);
}
