import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { scanViewOf } from '../../src/history/history.ts';
import { requestedLanguage } from '../../src/translation/requested-language.ts';
import { ScanScreen } from '../screens/history/scan.tsx';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const against = new URL(request.url).searchParams.get('against');
  const view = await scanViewOf(context.merchant.shop, params.scan!, against, requestedLanguage(request));
  if (!view) throw new Response(null, { status: 404 });
  return view;
}

export default function Route() {
  return <ScanScreen {...useLoaderData<typeof loader>()} />;
}
