import type { ApiDeps } from '../api.ts';
import generate from '../operations/entry-gcc-generate.ts';
import supersede from '../operations/entry-gcc-supersede.ts';
import { listen } from './listen.ts';
import { jsonBody, startService } from './service.ts';

/** The operator secret in tests. */
export const SECRET = 'a-secret-for-tests-0123456789abcdef';

/**
 * Starts the API with operator pages and a real store. The secret isn't hashed, because the CLI tests cover the slow
 * hash.
 */
export async function startOperatorService(extra: Partial<ApiDeps> = {}) {
  const operator = { secretHash: 'hash of the secret', verify: async (secret: string) => secret === SECRET };
  return await startService({ operator, ...extra });
}

/** Starts the API with operator pages on a local port so that a browser can load the pages. */
export async function serveOperatorService() {
  return await listen(await startOperatorService());
}

/**
 * Issues a certificate through the API, based on the example product and the given changes. Returns the certificate ID.
 */
export async function issueCertificate(
  { issue, callExample }: Pick<Awaited<ReturnType<typeof startService>>, 'issue' | 'callExample'>,
  change: { product?: object; supersedes?: string } = {},
  key?: string,
): Promise<string> {
  // Only a complete certificate can supersede another one.
  const { examples } = change.supersedes === undefined ? generate : supersede;
  const [{ request }] = examples as unknown as [{ request: { product_info: object } }];
  const { product, ...rest } = change;
  const body = { ...request, ...rest, product_info: { ...request.product_info, ...product } };
  const response = await callExample(
    generate,
    { request: body },
    { Authorization: `Bearer ${key ?? (await issue('entry'))}` },
  );
  return (await jsonBody(response)).gcc_id;
}
