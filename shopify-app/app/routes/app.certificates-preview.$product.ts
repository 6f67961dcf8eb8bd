import type { LoaderFunctionArgs } from '@remix-run/node';
import { issuingContext, productGid } from '../../src/certificates/certificate-context.ts';
import { previewPdf } from '../../src/certificates/issue.ts';

export const loader = async ({ params, context }: LoaderFunctionArgs) =>
  (await previewPdf(issuingContext(context), productGid(params.product!))) ?? new Response(null, { status: 404 });
