import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { dismissGuide, homeOf } from '../../src/home/home.ts';
import { usePolling } from '../document/use-polling.ts';
import { Home } from '../screens/home/home.tsx';

export const loader = ({ context }: LoaderFunctionArgs) => homeOf(context.merchant.shop, Date.now());

/** The one thing that is decided on Home itself. */
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
