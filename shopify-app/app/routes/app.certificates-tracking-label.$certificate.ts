import type { LoaderFunctionArgs } from '@remix-run/node';
import { issuingContext } from '../../src/certificates/certificate-context.ts';
import { trackingLabelFile } from '../../src/certificates/labels.ts';

export const loader = async ({ params, context }: LoaderFunctionArgs) =>
  (await trackingLabelFile(issuingContext(context), params.certificate!)) ?? new Response(null, { status: 404 });
