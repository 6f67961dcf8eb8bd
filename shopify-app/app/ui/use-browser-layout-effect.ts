import { useEffect, useLayoutEffect } from 'react';

/** Runs an effect before the next paint. On the server, where React warns about layout effects, no effect runs. */
export const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;
