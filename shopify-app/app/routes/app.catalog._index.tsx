import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData, useNavigate } from '@remix-run/react';
import { catalogOf, startCatalogRead } from '../../src/catalog/catalog.ts';
import { parseCatalogQuery } from '../../src/catalog/model/query.ts';
import { CatalogScreen } from '../screens/catalog/catalog.tsx';
import { queryString } from '../ui/query-string.ts';
import { usePolling } from '../ui/use-polling.ts';

export function loader({ request, context: { app, merchant } }: LoaderFunctionArgs) {
  const query = parseCatalogQuery(new URL(request.url).searchParams);
  return catalogOf(merchant.shop, query, Date.now(), merchant.dataset(), app.reference);
}

export async function action({ context }: ActionFunctionArgs) {
  await startCatalogRead(context.merchant.shop);
  return null;
}

export default function Route() {
  const view = useLoaderData<typeof loader>();
  const start = useFetcher();
  const navigate = useNavigate();
  usePolling(view.live !== null);
  return (
    <CatalogScreen
      {...view}
      starting={start.state !== 'idle'}
      onSync={() => start.submit(null, { method: 'post' })}
      onFilter={query => navigate(`/app/catalog${queryString(query)}`)}
    />
  );
}
