import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData, useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import { dismissGuide, homeOf } from '../../src/home/home.ts';
import { Home } from '../screens/home/home.tsx';

/** How often a page asks how far a scan is, in milliseconds. */
const POLL_MS = 2_000;

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
  const { revalidate } = useRevalidator();
  const isLive = view.live !== null;
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(revalidate, POLL_MS);
    return () => clearInterval(timer);
  }, [isLive, revalidate]);
  return (
    <Home
      {...view}
      starting={start.state !== 'idle'}
      onDismissGuide={() => guide.submit(null, { method: 'post', action: '/app?index' })}
      onScan={() => start.submit(null, { method: 'post', action: '/app/scan' })}
    />
  );
}
