import type { LoaderFunctionArgs } from '@remix-run/node';
import { exportFindings } from '../../src/findings/export.ts';
import { readAsked } from '../../src/findings/filter.ts';

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  exportFindings(context.merchant.shop, readAsked(new URL(request.url).searchParams));
