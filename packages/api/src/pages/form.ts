import type { Context } from 'hono';

/**
 * The fields of a form as a page of ours sends them; of a name that comes twice, the last. A body of another type has no
 * fields: browsers send that across sites without the check that stands before forms.
 *
 * @example
 * const { company = '' } = await fieldsOf(c);
 */
export async function fieldsOf(c: Context): Promise<Partial<Record<string, string>>> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(type)) return {};
  return Object.fromEntries(new URLSearchParams(await c.req.text()));
}
