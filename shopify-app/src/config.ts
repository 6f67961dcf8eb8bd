import { isContact } from '@compliance/crawler';
import { readS3Settings, type S3Options } from '@compliance/store';
import { z } from 'zod';

const text = z.string().trim().min(1);

/** Merchants' pages go over TLS; on one's own machine a browser does without. */
const isSafe = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

const environment = z.object({
  SHOPIFY_API_KEY: text.regex(/^[\w-]+$/, 'is the client id that Shopify gave the app'),
  SHOPIFY_API_SECRET: text.min(16, 'is shorter than a secret of Shopify'),
  SHOPIFY_APP_URL: z
    .url({ protocol: /^https?$/, error: 'is the address merchants reach the app at, https://…', abort: true })
    .refine(address => /^https?:\/\/[^/?#@]+\/?$/.test(address), 'has nothing after the host')
    .refine(isSafe, 'must be https, but on this machine'),
  TOKEN_KEYS: text.regex(
    /^[A-Za-z0-9+/_-]{43}=?(,[A-Za-z0-9+/_-]{43}=?)*$/,
    'holds keys of 32 bytes in base64, newest first, with commas between',
  ),
  COMPLIANCE_CONTACT: text.refine(isContact, 'is an https or mailto address'),
  COMPLIANCE_BASE_URL: z
    .url({
      protocol: /^https?$/,
      error: 'is the address of the service that verifies certificates, https://…',
      abort: true,
    })
    .refine(address => /^https?:\/\/[^/?#@]+\/?$/.test(address), 'has nothing after the host')
    .refine(isSafe, 'must be https, but on this machine')
    .optional(),
  PORT: z.coerce.number('is a number').int('is a whole number').min(0).max(65_535).default(8788),
  HOST: text.default('127.0.0.1'),
  DATA_DIR: text.default('data'),
  DATABASE_URL: text.regex(/^postgres(ql)?:\/\//, 'is a postgres:// address').optional(),
  JOBS_AT_ONCE: z.coerce.number('is a number').int('is a whole number').min(0).max(32).default(2),
});

/** What the app must be told by whoever runs it. */
export interface Config {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Where merchants reach the app; no slash at the end. */
  readonly appUrl: string;
  /** Keys that seal tokens at rest, 32 bytes each, the newest first: the first seals, all open. */
  readonly tokenKeys: readonly Buffer[];
  /**
   * Where the service that verifies certificates is reached, no slash at the end. Each certificate prints it for good, so
   * without it none is issued.
   */
  readonly complianceUrl?: string | undefined;
  /** Page or address that the crawler names as its owner's. */
  readonly contact: string;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** How many jobs this process works on at the same time; with 0 it serves pages alone, and others do the work. */
  readonly jobsAtOnce: number;
  /** Where PDFs are kept; in `dataDir` when left out. */
  readonly s3?: S3Options | undefined;
}

/** What the app needs is missing or cannot be right. The message says what to do. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  constructor(faults: readonly string[]) {
    super(`The app cannot start:\n${faults.map(fault => `  ${fault}`).join('\n')}\nREADME.md describes each setting.`);
  }
}

/**
 * Reads the settings of the app from the environment.
 *
 * @throws CannotStart names each setting at fault, never its value
 * @throws StoreError `config_invalid`, the same of the bucket
 * @example
 * const config = readConfig(process.env);
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty line in a file of settings is none.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = environment.safeParse(set);
  if (!read.success) {
    throw new CannotStart(
      read.error.issues.map(({ path: [name], message }) =>
        set[String(name)] === undefined ? `${String(name)} is not set` : `${String(name)} ${message}`,
      ),
    );
  }
  const { data } = read;
  return {
    apiKey: data.SHOPIFY_API_KEY,
    apiSecret: data.SHOPIFY_API_SECRET,
    appUrl: data.SHOPIFY_APP_URL.replace(/\/$/, ''),
    tokenKeys: data.TOKEN_KEYS.split(',').map(key => Buffer.from(key, 'base64')),
    complianceUrl: data.COMPLIANCE_BASE_URL?.replace(/\/$/, ''),
    contact: data.COMPLIANCE_CONTACT,
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    jobsAtOnce: data.JOBS_AT_ONCE,
    s3: readS3Settings(env),
  };
}
