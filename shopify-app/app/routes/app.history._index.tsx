import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { historyOf } from '../../src/history/history.ts';
import { History } from '../screens/history/history.tsx';

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  historyOf(context.merchant.shop, new URL(request.url).searchParams.get('cursor'));

export default function Route() {
  return <History {...useLoaderData<typeof loader>()} />;
}
