import type { LoaderFunctionArgs } from '@remix-run/node';
import { exportCatalog } from '../../src/catalog/csv/write.ts';
import { parseCatalogQuery } from '../../src/catalog/model/query.ts';

export const loader = ({ request, context: { merchant } }: LoaderFunctionArgs) =>
  exportCatalog(merchant.shop, parseCatalogQuery(new URL(request.url).searchParams), Date.now(), merchant.dataset());
