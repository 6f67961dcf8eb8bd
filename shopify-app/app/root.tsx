import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Links, Meta, Outlet, Scripts, useLoaderData, useRouteLoaderData } from '@remix-run/react';
import polarisStyles from '@shopify/polaris/build/esm/styles.css?url';
import type { ReactNode } from 'react';
import { useNonce } from './document/nonce.ts';
import { TranslationProvider } from './i18n/provider.tsx';
import { translationsFor } from './i18n/translations.server.ts';

export { ErrorBoundary } from './document/error-boundary.tsx';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: polarisStyles }];

export const meta: MetaFunction = () => [{ title: 'Portfolio Compliance' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const record = context.shop === null ? null : await context.app.store.shop(context.shop).record();
  // Outside of Shopify's admin App Bridge has nothing to do, and says so loudly.
  return {
    apiKey: context.shop && context.app.apiKey,
    translations: translationsFor(request, record?.settings.locale),
  };
}

// The language and the key are those of the document: asking again would change neither.
export const shouldRevalidate = () => false;

export function Layout({ children }: { readonly children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root');
  const nonce = useNonce();
  return (
    // What Polaris would set once it lives: to change it then is to style every element anew.
    <html lang={data?.translations.locale ?? 'en'} className="p-theme-light">
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
