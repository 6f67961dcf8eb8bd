import { createContext, useContext } from 'react';

const Nonce = createContext<string | undefined>(undefined);

/** Gives the scripts of one document their nonce; the browser never shows it to code, so the client knows none. */
export const NonceProvider = Nonce.Provider;

export const useNonce = (): string | undefined => useContext(Nonce);
