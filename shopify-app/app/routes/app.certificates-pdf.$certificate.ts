import type { LoaderFunctionArgs } from '@remix-run/node';
import { deskOf } from '../../src/certificates/desk.ts';
import { certificatePdf } from '../../src/certificates/issue.ts';

export const loader = async ({ params, context }: LoaderFunctionArgs) =>
  (await certificatePdf(deskOf(context), params.certificate!)) ?? new Response(null, { status: 404 });
