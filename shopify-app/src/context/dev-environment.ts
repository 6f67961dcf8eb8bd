import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Converts the environment variables from `shopify app dev` to the app's settings. Uses the tunnel's URL in `HOST` as
 * the app's URL, and adds a default contact URL, because the contact URL matters only in production. Settings that
 * already have a value don't change.
 *
 * Keeps the token key in the data folder, so that the app can decrypt its tokens after a restart.
 *
 * @example
 * readConfig(devEnvironment(process.env)).appUrl // 'https://some-words.trycloudflare.com'
 */
export function devEnvironment(env: Environment): Record<string, string | undefined> {
  const isUrl = env.HOST !== undefined && URL.canParse(env.HOST);
  const { DATA_DIR = 'data' } = env;
  return {
    ...env,
    SHOPIFY_APP_URL: env.SHOPIFY_APP_URL ?? (isUrl ? env.HOST : undefined),
    HOST: isUrl ? undefined : env.HOST,
    TOKEN_KEYS: env.TOKEN_KEYS ?? tokenKeyIn(DATA_DIR),
    COMPLIANCE_CONTACT: env.COMPLIANCE_CONTACT ?? 'mailto:developer@example.com',
  };
}

function tokenKeyIn(folder: string): string {
  const file = join(folder, 'dev-token-key');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
