import { createContext } from 'react';
import type { AppConnection } from './resilient-fetch.ts';

/** The page's connection to the app. During server rendering, the connection never reports a problem. */
export const ConnectionContext = createContext<AppConnection>({
  problem: () => null,
  subscribe: () => () => {},
  retry: () => {},
});
