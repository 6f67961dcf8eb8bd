import { readFile } from 'node:fs/promises';
import { type FlagList, type LabList, parseFlagList, parseLabList } from '@compliance/core/entry';
import { isContact } from '@compliance/crawler';
import { DEFAULT_DRAIN, type DrainOptions } from '@compliance/server';
import { type SignCertificate, SigningSettingsError, signerFromPkcs12, signWith } from '@compliance/signing';
import { readS3Settings, type S3Options } from '@compliance/store';
import { z } from 'zod';
import type { MailSettings } from '../alerts/mailer.ts';
import type { Billing } from '../billing/plan.ts';

const text = z.string().trim().min(1);

/** Returns whether a URL is safe to use on merchants' pages. The URL must use HTTPS, except on localhost. */
const isSafe = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

const seconds = z.coerce.number('must be a number of seconds').min(0).max(600);

const environment = z.object({
  SHOPIFY_API_KEY: text.regex(/^[\w-]+$/, 'must be the client ID that Shopify assigned to the app'),
  SHOPIFY_API_SECRET: text.min(16, 'is shorter than a Shopify client secret'),
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
  COMPLIANCE_FLAGS: text.optional(),
  COMPLIANCE_LABS: text.optional(),
  COMPLIANCE_SIGNING_KEY: text.optional(),
  COMPLIANCE_SIGNING_PASSWORD: z.string().optional(),
  COMPLIANCE_TIMESTAMP: text.optional(),
  DATABASE_URL: text.regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL').optional(),
  DRAIN_DELAY: seconds.default(DEFAULT_DRAIN.delayMs / 1000),
  DRAIN_TIMEOUT: seconds.default(DEFAULT_DRAIN.timeoutMs / 1000),
  SMTP_URL: text
    .regex(
      /^smtps?:\/\/[^\s/]+\/?$/,
      'must be the URL of an SMTP server, such as smtps://user:password@smtp.example.com',
    )
    .optional(),
  ALERT_FROM: z.email('must be an email address').optional(),
  COMPLIANCE_RENDER: z.enum(['on', 'off'], 'must be on or off').default('off'),
  SHOPIFY_APP_HANDLE: text
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be the app’s handle from the Partner Dashboard, such as portfolio-compliance')
    .optional(),
  FOUNDING_SHOPS: text
    .regex(
      /^[a-z0-9][a-z0-9-]*\.myshopify\.com(\s*,\s*[a-z0-9][a-z0-9-]*\.myshopify\.com)*$/,
      'must be a comma-separated list of shop domains, such as some-name.myshopify.com',
    )
    .optional(),
  JOBS_AT_ONCE: z.coerce.number('must be a number').int('must be a whole number').min(0).max(32).default(2),
});

/** Settings for the key that signs issued certificates. */
export interface SigningSettings {
  /** PKCS#12 file with the key and its certificate. */
  readonly keyFile: string;
  readonly password: string;
  /** URL of the timestamp authority. Without it, signatures have no timestamp. */
  readonly timestampUrl?: string | undefined;
}

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
   * URL, because every certificate permanently includes it.
   */
  readonly complianceUrl?: string | undefined;
  /** Operator's contact URL, which can be a mailto URL. The crawler sends this URL with each request. */
  readonly contact: string;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /**
   * JSON file with CPSC's list of HTS codes flagged for eFiling. Without it, pages state that the list isn't loaded.
   */
  readonly flagFile?: string | undefined;
  /**
   * JSON file with CPSC-accepted laboratories. Without it, Children's Product Certificates state that acceptance wasn't
   * checked.
   */
  readonly labFile?: string | undefined;
  /** Key that signs issued certificates. Without it, certificates aren't signed. */
  readonly signing?: SigningSettings | undefined;
  /**
   * Number of jobs that this process runs concurrently. If the number is 0, this process only serves pages, and other
   * processes run the jobs.
   */
  readonly jobsAtOnce: number;
  /** Shutdown options that apply after SIGTERM. */
  readonly drain: DrainOptions;
  /** SMTP server that sends alerts. Without it, merchants can't turn on alerts. */
  readonly mail?: MailSettings | undefined;
  /** Billing settings. Without them, no shop needs a plan. */
  readonly billing?: Billing | undefined;
  /** Whether merchants can turn on browser checks, in which the app opens their storefronts in an isolated browser. */
  readonly render: boolean;
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
  const mailSettings = { SMTP_URL: data.SMTP_URL, ALERT_FROM: data.ALERT_FROM };
  const unset = Object.entries(mailSettings).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (unset.length === 1)
    throw new ConfigError([`${unset[0]} is not set, but alerts need both SMTP_URL and ALERT_FROM`]);
  if (data.COMPLIANCE_SIGNING_KEY !== undefined && data.COMPLIANCE_SIGNING_PASSWORD === undefined)
    throw new ConfigError(['COMPLIANCE_SIGNING_KEY requires COMPLIANCE_SIGNING_PASSWORD, which is not set']);
  if (data.COMPLIANCE_TIMESTAMP !== undefined && data.COMPLIANCE_SIGNING_KEY === undefined)
    throw new ConfigError(['COMPLIANCE_TIMESTAMP requires COMPLIANCE_SIGNING_KEY, which is not set']);
  if (data.FOUNDING_SHOPS !== undefined && data.SHOPIFY_APP_HANDLE === undefined)
    throw new ConfigError(['FOUNDING_SHOPS requires SHOPIFY_APP_HANDLE, which is not set']);
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
    flagFile: data.COMPLIANCE_FLAGS,
    labFile: data.COMPLIANCE_LABS,
    signing:
      data.COMPLIANCE_SIGNING_KEY === undefined
        ? undefined
        : {
            ...{ keyFile: data.COMPLIANCE_SIGNING_KEY, password: data.COMPLIANCE_SIGNING_PASSWORD! },
            timestampUrl: data.COMPLIANCE_TIMESTAMP,
          },
    jobsAtOnce: data.JOBS_AT_ONCE,
    drain: { delayMs: data.DRAIN_DELAY * 1000, timeoutMs: data.DRAIN_TIMEOUT * 1000 },
    mail: data.SMTP_URL === undefined ? undefined : { smtpUrl: data.SMTP_URL, from: data.ALERT_FROM! },
    billing:
      data.SHOPIFY_APP_HANDLE === undefined
        ? undefined
        : {
            appHandle: data.SHOPIFY_APP_HANDLE,
            foundingShops: data.FOUNDING_SHOPS?.split(',').map(shop => shop.trim()) ?? [],
          },
    render: data.COMPLIANCE_RENDER === 'on',
    s3: readS3Settings(env),
  };
}

/**
 * Reads CPSC's list of HTS codes flagged for eFiling.
 *
 * @throws ConfigError if the file can't be read or isn't a valid list
 */
export async function readFlagFile(file: string): Promise<FlagList> {
  try {
    return parseFlagList(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new ConfigError([
      `COMPLIANCE_FLAGS must be a valid list of flagged codes, in JSON: ${(error as Error).message}`,
    ]);
  }
}

/**
 * Reads the list of CPSC-accepted laboratories.
 *
 * @throws ConfigError if the file can't be read or isn't a valid list
 */
export async function readLabFile(file: string): Promise<LabList> {
  try {
    return parseLabList(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new ConfigError([
      `COMPLIANCE_LABS must be a valid list of accepted laboratories in JSON: ${(error as Error).message}`,
    ]);
  }
}

/**
 * Opens the key that signs certificates.
 *
 * @throws ConfigError if the file can't be read, the password is wrong, or the key or timestamp URL can't be used
 */
export async function openSigningKey({ keyFile, password, timestampUrl }: SigningSettings): Promise<SignCertificate> {
  try {
    return signWith(await signerFromPkcs12(await readFile(keyFile), password), timestampUrl);
  } catch (error) {
    const isTimestamp = error instanceof SigningSettingsError && error.setting === 'timestamp';
    throw new ConfigError([
      isTimestamp
        ? `COMPLIANCE_TIMESTAMP can’t be used: ${error.message}`
        : `COMPLIANCE_SIGNING_KEY can’t be used: ${(error as Error).message}`,
    ]);
  }
}
