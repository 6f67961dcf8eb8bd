import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Links, Meta, Outlet, Scripts, useLoaderData, useRouteLoaderData } from '@remix-run/react';
import polarisStyles from '@shopify/polaris/build/esm/styles.css?url';
import type { CSSProperties, ReactNode } from 'react';
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

// What is inherited from here and changes later is a reason to style every element anew, in each frame of a transition.
// So what Polaris sets once it lives is here from the start, and its scrollbar is not coloured as the pointer comes and goes.
const SETTLED: CSSProperties & Record<`--${string}`, string> = {
  '--pc-app-provider-scrollbar-width': '0px',
  scrollbarColor: 'var(--p-color-scrollbar-thumb-bg-hover) var(--p-color-bg)',
  transition: 'none',
};

// The language and the key are those of the document: asking again would change neither.
export const shouldRevalidate = () => false;

export function Layout({ children }: { readonly children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root');
  const nonce = useNonce();
  return (
    <html lang={data?.translations.locale ?? 'en'} className="p-theme-light" style={SETTLED}>
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
