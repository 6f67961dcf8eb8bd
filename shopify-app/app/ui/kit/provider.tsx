import { AppProvider, type AppProviderProps } from '@shopify/polaris';
import type { ReactNode } from 'react';
import { AppLink } from './app-link.tsx';

/** Messages for the kit's own components, in one language. */
export type KitMessages = AppProviderProps['i18n'];

/** Provides the kit's components with their messages and the app's router. */
export const KitProvider = ({
  messages,
  children,
}: {
  readonly messages: KitMessages;
  readonly children: ReactNode;
}) => (
  <AppProvider i18n={messages} linkComponent={AppLink}>
    {children}
  </AppProvider>
);
