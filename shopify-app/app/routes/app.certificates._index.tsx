import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useNavigate } from '@remix-run/react';
import { certificatesOf, readAsked } from '../../src/certificates/list.ts';
import { Certificates } from '../screens/certificates/certificates.tsx';

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  certificatesOf(context.merchant.shop, readAsked(new URL(request.url).searchParams));

export default function Route() {
  const navigate = useNavigate();
  return <Certificates {...useLoaderData<typeof loader>()} onAsk={address => navigate(address)} />;
}
