import type { ActionFunctionArgs } from '@remix-run/node';
import { eraseShop } from '../../src/settings/erase.ts';

export async function action({ request, context }: ActionFunctionArgs) {
  const typed = String((await request.formData()).get('typed') ?? '');
  return new Response(null, { status: (await eraseShop(context.merchant, typed)) ? 204 : 422 });
}
