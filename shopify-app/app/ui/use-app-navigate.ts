import { useNavigate } from '@remix-run/react';

/** Returns a function that opens another app page, so that screens don't depend on the router. */
export const useAppNavigate = (): ((url: string) => void) => useNavigate();
