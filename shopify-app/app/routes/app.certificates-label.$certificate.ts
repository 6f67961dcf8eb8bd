import type { LoaderFunctionArgs } from '@remix-run/node';
import { issuingContext } from '../../src/certificates/certificate-context.ts';
import { labelFile } from '../../src/certificates/labels.ts';

export const loader = async ({ request, params, context }: LoaderFunctionArgs) =>
  (await labelFile(issuingContext(context), params.certificate!, new URL(request.url).searchParams)) ??
  new Response(null, { status: 404 });
