import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { browserCheckOf } from '../../src/browser-check/browser-check.ts';
import { BrowserCheck } from '../screens/browser-check/browser-check.tsx';
import { usePolling } from '../ui/use-polling.ts';

export const loader = ({ context: { merchant, app } }: LoaderFunctionArgs) =>
  browserCheckOf(merchant.shop, app.rendering, Date.now());

export default function Route() {
  const view = useLoaderData<typeof loader>();
  usePolling(view.checking);
  return <BrowserCheck {...view} />;
}
