import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData, useNavigate } from '@remix-run/react';
import { catalogOf, startReading } from '../../src/catalog/catalog.ts';
import { readAsked } from '../../src/catalog/filter.ts';
import { queryOf } from '../document/query-of.ts';
import { usePolling } from '../document/use-polling.ts';
import { Catalog } from '../screens/catalog/catalog.tsx';

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
  usePolling(view.live !== null);
  return (
    <Catalog
      {...view}
      starting={start.state !== 'idle'}
      onRead={() => start.submit(null, { method: 'post' })}
      onAsk={asked => navigate(`/app/catalog${queryOf(asked)}`)}
    />
  );
}
