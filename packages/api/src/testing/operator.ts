import type { ApiDeps } from '../api.ts';
import generate from '../operations/entry-gcc-generate.ts';
import { served } from './served.ts';
import { bodyOf, startService } from './service.ts';

/** The operator secret of the tests. */
export const SECRET = 'a-secret-for-tests-0123456789abcdef';

/** The API with its operator pages, over a real store. The secret's slow hash is the command's part, and proved there. */
export async function startOperatorService(extra: Partial<ApiDeps> = {}) {
  const operator = { secretHash: 'hash of the secret', verify: async (secret: string) => secret === SECRET };
  return await startService({ operator, ...extra });
}

/** The same on a port of this machine, for a browser. */
export async function serveOperatorService() {
  return await served(await startOperatorService());
}

/** A certificate as a caller of the API gets it, of the example's helmet with these changes. Gives its number. */
export async function issueCertificate(
  { issue, ask }: Pick<Awaited<ReturnType<typeof startService>>, 'issue' | 'ask'>,
  change: { product?: object; supersedes?: string } = {},
  key?: string,
): Promise<string> {
  const [{ request }] = generate.examples as unknown as [{ request: { product_info: object } }];
  const { product, ...rest } = change;
  const body = { ...request, ...rest, product_info: { ...request.product_info, ...product } };
  const response = await ask(generate, body, { Authorization: `Bearer ${key ?? (await issue('entry'))}` });
  return (await bodyOf(response)).gcc_id;
}
