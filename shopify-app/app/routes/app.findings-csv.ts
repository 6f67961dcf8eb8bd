import type { LoaderFunctionArgs } from '@remix-run/node';
import { exportFindings } from '../../src/findings/export.ts';
import { parseFindingsQuery } from '../../src/findings/query.ts';

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  exportFindings(context.merchant.shop, parseFindingsQuery(new URL(request.url).searchParams));
