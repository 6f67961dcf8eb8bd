import type { LoaderFunctionArgs } from '@remix-run/node';
import { deskOf, productGid } from '../../src/certificates/desk.ts';
import { previewPdf } from '../../src/certificates/issue.ts';

export const loader = async ({ params, context }: LoaderFunctionArgs) =>
  (await previewPdf(deskOf(context), productGid(params.product!))) ?? new Response(null, { status: 404 });
