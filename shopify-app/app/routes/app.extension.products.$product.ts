import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { issuingContext } from '../../src/certificates/certificate-context.ts';
import type { ProductResponse } from '../../src/product-extensions/contract.ts';
import { runProductAction } from '../../src/product-extensions/product-action.ts';
import { productErrorResponse, productSummaryOf } from '../../src/product-extensions/product-summary.ts';
import { requestedLanguage } from '../../src/translation/requested-language.ts';

/** Returns a product's tariff results and certificate to the admin UI extensions. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { dataset } = context.merchant;
  const language = requestedLanguage(request);
  const summary = await productSummaryOf(issuingContext(context), params.product!, dataset(), language);
  return Response.json({ summary } satisfies ProductResponse);
}

/** Checks a product or drafts a certificate, and then returns the product's updated summary. */
export async function action(args: ActionFunctionArgs) {
  const { request, params, context } = args;
  const form = await request.formData().catch(() => null);
  const intent = String(form?.get('intent') ?? '');
  const fault = await runProductAction(issuingContext(context), params.product!, intent, { signal: request.signal });
  return fault === null ? await loader(args) : productErrorResponse(fault);
}
