import { useEffect, useRef } from 'react';

/**
 * Keeps the keyboard focus nearby after the focused element is removed. Returns a ref for an element with
 * `tabIndex={-1}`. That element receives focus if `watched` changes and nothing else is focused.
 *
 * @example const focus = useFocusFallback(accepted); return <div ref={focus} tabIndex={-1}>…</div>;
 */
export function useFocusFallback(watched: unknown) {
  const fallback = useRef<HTMLDivElement>(null);
  const previous = useRef(watched);
  useEffect(() => {
    if (previous.current === watched) return;
    previous.current = watched;
    if (document.activeElement === document.body) fallback.current?.focus();
  }, [watched]);
  return fallback;
}
