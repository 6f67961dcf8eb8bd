import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Links, Meta, Outlet, Scripts, useLoaderData, useRouteLoaderData } from '@remix-run/react';
import type { CSSProperties, ReactNode } from 'react';
import { useNonce } from './document/nonce.ts';
import { TranslationProvider } from './i18n/provider.tsx';
import { translationsFor } from './i18n/translations.server.ts';
import styles from './ui/kit/styles.css?url';

export { ErrorBoundary } from './document/error-boundary.tsx';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: styles }];

export const meta: MetaFunction = () => [{ title: 'Portfolio Compliance' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const record = context.shop === null ? null : await context.app.store.shop(context.shop).record();
  // Omit the API key outside the Shopify admin, where App Bridge isn't needed and would log errors.
  return {
    apiKey: context.shop && context.app.apiKey,
    translations: translationsFor(request, record?.settings.locale),
  };
}

// If an inherited style changed here, the browser would recalculate every element's style in each frame of a
// transition. To avoid this recalculation, the page starts with the styles that the UI kit would set after hydration,
// and the scrollbar color doesn't change on hover.
const INITIAL_STYLE: CSSProperties & Record<`--${string}`, string> = {
  '--pc-app-provider-scrollbar-width': '0px',
  scrollbarColor: 'var(--p-color-scrollbar-thumb-bg-hover) var(--p-color-bg)',
  transition: 'none',
};

// This loader runs once, because a document's language and API key never change.
export const shouldRevalidate = () => false;

export function Layout({ children }: { readonly children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root');
  const nonce = useNonce();
  return (
    <html lang={data?.translations.locale ?? 'en'} className="p-theme-light" style={INITIAL_STYLE}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        {data?.apiKey && (
          <>
            <meta name="shopify-api-key" content={data.apiKey} />
            <script src="https://cdn.shopify.com/shopifycloud/app-bridge.js" />
          </>
        )}
        <Meta />
        <Links />
      </head>
      <body style={{ backgroundColor: 'var(--p-color-bg)', color: 'var(--p-color-text)' }}>
        {children}
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Root() {
  const { translations } = useLoaderData<typeof loader>();
  return (
    <TranslationProvider {...translations}>
      <Outlet />
    </TranslationProvider>
  );
}
