import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData, useNavigate, useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import { catalogOf, startReading } from '../../src/catalog/catalog.ts';
import { readAsked } from '../../src/catalog/filter.ts';
import { Catalog } from '../screens/catalog/catalog.tsx';
import { queryOf } from '../screens/catalog/filters.tsx';

/** How often a page asks how far a reading is, in milliseconds. */
const POLL_MS = 2_000;

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  catalogOf(context.merchant.shop, readAsked(new URL(request.url).searchParams), Date.now());

export async function action({ context }: ActionFunctionArgs) {
  await startReading(context.merchant.shop);
  return null;
}

export default function Route() {
  const view = useLoaderData<typeof loader>();
  const start = useFetcher();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const isLive = view.live !== null;
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(revalidate, POLL_MS);
    return () => clearInterval(timer);
  }, [isLive, revalidate]);
  return (
    <Catalog
      {...view}
      starting={start.state !== 'idle'}
      onRead={() => start.submit(null, { method: 'post' })}
      onAsk={asked => navigate(`/app/catalog${queryOf(asked)}`)}
    />
  );
}
