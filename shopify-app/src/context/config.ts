import { isContact } from '@compliance/crawler';
import { DEFAULT_DRAIN, type DrainOptions } from '@compliance/server';
import { readS3Settings, type S3Options } from '@compliance/store';
import { z } from 'zod';

const text = z.string().trim().min(1);

/** Returns whether a URL is safe to use on merchants' pages. The URL must use HTTPS, except on localhost. */
const isSafe = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

const seconds = z.coerce.number('must be a number of seconds').min(0).max(600);

const environment = z.object({
  SHOPIFY_API_KEY: text.regex(/^[\w-]+$/, 'must be the client ID that Shopify assigned to the app'),
  SHOPIFY_API_SECRET: text.min(16, 'is shorter than a Shopify secret'),
  SHOPIFY_APP_URL: z
    .url({ protocol: /^https?$/, error: 'must be the app’s public URL, such as https://app.example.com', abort: true })
    .refine(address => /^https?:\/\/[^/?#@]+\/?$/.test(address), 'must not have a username, path, query, or fragment')
    .refine(isSafe, 'must use HTTPS, except on localhost'),
  TOKEN_KEYS: text.regex(
    /^[A-Za-z0-9+/_-]{43}=?(,[A-Za-z0-9+/_-]{43}=?)*$/,
    'must be a comma-separated list of 32-byte keys in base64, newest first',
  ),
  COMPLIANCE_CONTACT: text.refine(isContact, 'must be an HTTPS or mailto URL'),
  COMPLIANCE_BASE_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be the URL of the certificate verification service, such as https://compliance.example.com',
      abort: true,
    })
    .refine(address => /^https?:\/\/[^/?#@]+\/?$/.test(address), 'must not have a username, path, query, or fragment')
    .refine(isSafe, 'must use HTTPS, except on localhost')
    .optional(),
  PORT: z.coerce.number('must be a number').int('must be a whole number').min(0).max(65_535).default(8788),
  HOST: text.default('127.0.0.1'),
  DATA_DIR: text.default('data'),
  DATABASE_URL: text.regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL').optional(),
  DRAIN_DELAY: seconds.default(DEFAULT_DRAIN.delayMs / 1000),
  DRAIN_TIMEOUT: seconds.default(DEFAULT_DRAIN.timeoutMs / 1000),
  JOBS_AT_ONCE: z.coerce.number('must be a number').int('must be a whole number').min(0).max(32).default(2),
});

/** App configuration that the operator sets. */
export interface Config {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Public URL of the app, without a trailing slash. */
  readonly appUrl: string;
  /**
   * 32-byte keys that encrypt tokens at rest, newest first. The first key encrypts new tokens, and every key can
   * decrypt existing tokens.
   */
  readonly tokenKeys: readonly Buffer[];
  /**
   * URL of the certificate verification service, without a trailing slash. Certificates can't be issued without this
   * URL, because every certificate permanently includes the URL.
   */
  readonly complianceUrl?: string | undefined;
  /** Operator's contact URL, which can be a mailto URL. The crawler sends this URL with each request. */
  readonly contact: string;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /**
   * Number of jobs that this process runs concurrently. If the number is 0, this process only serves pages, and other
   * processes run the jobs.
   */
  readonly jobsAtOnce: number;
  /** Shutdown options that apply after SIGTERM. */
  readonly drain: DrainOptions;
  /** S3 bucket for PDFs. By default, the app stores PDFs in `dataDir`. */
  readonly s3?: S3Options | undefined;
}

/** Thrown when a required setting is missing or any setting is invalid. The message lists the settings to fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map(fault => `  ${fault}`).join('\n')}\nREADME.md describes each setting.`);
  }
}

/**
 * Reads the app configuration from environment variables.
 *
 * @throws ConfigError if a setting is missing or invalid. The message lists these settings without their values.
 * @throws StoreError `config_invalid` if the bucket settings are invalid
 * @example
 * const config = readConfig(process.env);
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // Treat an empty value in an environment file as a missing setting.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = environment.safeParse(set);
  if (!read.success) {
    throw new ConfigError(
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
    drain: { delayMs: data.DRAIN_DELAY * 1000, timeoutMs: data.DRAIN_TIMEOUT * 1000 },
    s3: readS3Settings(env),
  };
}
