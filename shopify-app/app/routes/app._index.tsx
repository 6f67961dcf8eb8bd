import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { dismissGuide, homeOf } from '../../src/home/home.ts';
import { requestedLanguage } from '../../src/translation/requested-language.ts';
import { Home } from '../screens/home/home.tsx';
import { usePolling } from '../ui/use-polling.ts';

export const loader = ({ request, context: { app, merchant } }: LoaderFunctionArgs) =>
  homeOf(merchant.shop, Date.now(), merchant.dataset(), requestedLanguage(request), app.billing);

/** Dismisses the setup guide. */
export async function action({ context }: ActionFunctionArgs) {
  await dismissGuide(context.merchant.shop);
  return null;
}

export default function Route() {
  const view = useLoaderData<typeof loader>();
  const start = useFetcher();
  const guide = useFetcher();
  usePolling(view.live !== null);
  return (
    <Home
      {...view}
      starting={start.state !== 'idle'}
      onDismissGuide={() => guide.submit(null, { method: 'post', action: '/app?index' })}
      onScan={() => start.submit(null, { method: 'post', action: '/app/scan' })}
    />
  );
}
