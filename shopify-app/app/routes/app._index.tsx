import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Home } from '../screens/home/home.tsx';

export async function loader({ context }: LoaderFunctionArgs) {
  return { shop: context.merchant.domain };
}

export default function Route() {
  return <Home {...useLoaderData<typeof loader>()} />;
}
