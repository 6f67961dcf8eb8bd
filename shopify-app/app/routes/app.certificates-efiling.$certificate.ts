import type { ActionFunctionArgs } from '@remix-run/node';
import { issuingContext } from '../../src/certificates/certificate-context.ts';
import { exportEfilingData } from '../../src/certificates/efiling.ts';
import { requestedLanguage } from '../../src/translation/requested-language.ts';

export async function action({ request, params, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const language = requestedLanguage(request);
  const result = await exportEfilingData(issuingContext(context), params.certificate!, form, language);
  if (!result) throw new Response(null, { status: 404 });
  return result;
}
