import { useEffect, useRef } from 'react';

/**
 * Keeps the focus near when what had it goes: gives the ref of an element with `tabIndex={-1}`, which takes the focus when
 * `watched` has changed and nothing has it any more.
 *
 * @example const focus = useFocusKept(accepted); return <div ref={focus} tabIndex={-1}>…</div>;
 */
export function useFocusKept(watched: unknown) {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(watched);
  useEffect(() => {
    if (before.current === watched) return;
    before.current = watched;
    if (document.activeElement === document.body) place.current?.focus();
  }, [watched]);
  return place;
}
