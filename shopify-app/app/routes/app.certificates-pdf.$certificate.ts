import type { LoaderFunctionArgs } from '@remix-run/node';
import { issuingContext } from '../../src/certificates/certificate-context.ts';
import { certificatePdf } from '../../src/certificates/issue.ts';

export const loader = async ({ params, context }: LoaderFunctionArgs) =>
  (await certificatePdf(issuingContext(context), params.certificate!)) ?? new Response(null, { status: 404 });
