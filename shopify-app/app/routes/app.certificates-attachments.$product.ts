import type { ActionFunctionArgs } from '@remix-run/node';
import { handleAttachments } from '../../src/certificates/attachments.ts';
import { issuingContext, productGid } from '../../src/certificates/certificate-context.ts';

export async function action({ request, params, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const result = await handleAttachments(issuingContext(context), productGid(params.product!), form);
  if (!result) throw new Response(null, { status: 404 });
  return result;
}
