import { z } from 'zod';

const text = z.string().trim().min(1);

const environment = z.object({
  SHOPIFY_API_KEY: text,
  SHOPIFY_API_SECRET: text.min(16, 'is shorter than a secret of Shopify'),
  SHOPIFY_APP_URL: z.url({ protocol: /^https?$/, error: 'is the address merchants reach the app at, https://…' }),
  TOKEN_KEYS: text.regex(
    /^[A-Za-z0-9+/_-]{43}=?(,[A-Za-z0-9+/_-]{43}=?)*$/,
    'holds keys of 32 bytes in base64, newest first',
  ),
  COMPLIANCE_CONTACT: text,
  PORT: z.coerce.number().int().min(0).max(65_535).default(8788),
  HOST: text.default('127.0.0.1'),
  DATA_DIR: text.default('data'),
  DATABASE_URL: text.optional(),
});

/** What the app must be told by whoever runs it. */
export interface Config {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Where merchants reach the app; no slash at the end. */
  readonly appUrl: string;
  /** Keys that seal tokens at rest, 32 bytes each, the newest first: the first seals, all open. */
  readonly tokenKeys: readonly Buffer[];
  /** Page or address that the crawler names as its owner's. */
  readonly contact: string;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/** The environment lacks something or holds something that cannot be right. The message says what to set. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
}

/**
 * Reads the settings of the app from the environment.
 *
 * @throws ConfigInvalid names each setting at fault, never its value
 * @example
 * const config = readConfig(process.env);
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = environment.safeParse(env);
  if (!read.success) {
    const faults = read.error.issues.map(({ path, code, message }) => {
      const name = String(path[0]);
      return `  ${name} ${env[name] === undefined ? 'is not set' : code === 'invalid_format' || code === 'too_small' ? message : 'is not valid'}`;
    });
    throw new ConfigInvalid(`The app cannot start:\n${faults.join('\n')}\nREADME.md describes each setting.`);
  }
  const { data } = read;
  return {
    apiKey: data.SHOPIFY_API_KEY,
    apiSecret: data.SHOPIFY_API_SECRET,
    appUrl: data.SHOPIFY_APP_URL.replace(/\/+$/, ''),
    tokenKeys: data.TOKEN_KEYS.split(',').map(key => Buffer.from(key, 'base64')),
    contact: data.COMPLIANCE_CONTACT,
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
  };
}
