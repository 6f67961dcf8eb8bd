import type { LoaderFunctionArgs } from '@remix-run/node';
import { exportCatalog } from '../../src/catalog/csv/write.ts';
import { readAsked } from '../../src/catalog/filter.ts';

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  exportCatalog(context.merchant.shop, readAsked(new URL(request.url).searchParams), Date.now());
