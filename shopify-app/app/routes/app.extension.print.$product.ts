import type { LoaderFunctionArgs } from '@remix-run/node';
import { issuingContext } from '../../src/certificates/certificate-context.ts';
import { printedDocument } from '../../src/product-extensions/printed-document.ts';
import { productErrorResponse } from '../../src/product-extensions/product-summary.ts';

/** Returns a PDF for the print extension to preview and print. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const document = new URL(request.url).searchParams.get('document') ?? '';
  const pdf = await printedDocument(issuingContext(context), params.product!, document);
  return pdf ?? productErrorResponse('no_certificate');
}
