import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData, useNavigate } from '@remix-run/react';
import { issuingContext } from '../../src/certificates/certificate-context.ts';
import { certificatesOf, parseCertificatesQuery } from '../../src/certificates/list.ts';
import { CertificatesScreen } from '../screens/certificates/certificates.tsx';

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  certificatesOf(issuingContext(context), parseCertificatesQuery(new URL(request.url).searchParams));

export default function Route() {
  const navigate = useNavigate();
  return <CertificatesScreen {...useLoaderData<typeof loader>()} onNavigate={url => navigate(url)} />;
}
