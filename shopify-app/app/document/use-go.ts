import { useNavigate } from '@remix-run/react';

/** Goes to another page of the app: screens know no router. */
export const useGo = (): ((url: string) => void) => useNavigate();
