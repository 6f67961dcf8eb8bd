import { createContext, useContext } from 'react';

const Nonce = createContext<string | undefined>(undefined);

/**
 * Provides the nonce for a document's scripts. Browsers hide nonces from scripts, so the nonce is available only on the
 * server.
 */
export const NonceProvider = Nonce.Provider;

/** Returns the document's nonce, or undefined in the browser. */
export const useNonce = (): string | undefined => useContext(Nonce);
