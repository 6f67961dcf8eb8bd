import type { ActionFunctionArgs } from '@remix-run/node';
import { issuingContext } from '../../src/certificates/certificate-context.ts';
import { exportEfilingData } from '../../src/certificates/efiling.ts';

export async function action({ request, params, context }: ActionFunctionArgs) {
  const result = await exportEfilingData(issuingContext(context), params.certificate!, await request.formData());
  if (!result) throw new Response(null, { status: 404 });
  return result;
}
