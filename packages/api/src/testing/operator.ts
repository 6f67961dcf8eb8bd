import type { ApiDeps } from '../api.ts';
import { served } from './served.ts';
import { startService } from './service.ts';

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
