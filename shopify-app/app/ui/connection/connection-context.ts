import { createContext } from 'react';
import type { AppConnection } from './resilient-fetch.ts';

/** The page's connection to the app. On the server, the connection always works. */
export const ConnectionContext = createContext<AppConnection>({
  problem: () => null,
  subscribe: () => () => {},
  retry: () => {},
});
