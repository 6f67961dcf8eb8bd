import { DEFAULT_DRAIN } from '@compliance/server';
import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';

/** A setting: an environment variable, a configuration file key, and, for some settings, a command-line option. */
export interface Setting {
  /** Option and its argument, such as `--port <number>`. If undefined, this setting has no option. */
  readonly flags?: string;
  readonly description: string;
  /**
   * Valid values in the configuration file. Options and environment variables provide the same values, but as strings.
   */
  readonly schema: z.ZodType;
  readonly default?: string | number;
}

const text = z.string('Enter text in quotation marks.').min(1, 'Enter at least one character.');

const wholeNumber = (max: number) => {
  const error = `Enter a number from 0 to ${max}.`;
  return z.number(error).int(error).min(0, error).max(max, error);
};

const SECONDS = 'Enter a number of seconds from 0 to 600.';
const seconds = z.number(SECONDS).min(0, SECONDS).max(600, SECONDS);

const port = wholeNumber(65_535);

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'Enter a URL such as https://compliance.example.' })
  .transform(url => new URL(url).origin);

const EGRESS = 'Enter a URL such as http://egress:8788.';
const egress = z
  .url({ protocol: /^http$/, error: EGRESS, abort: true })
  .transform(url => new URL(url))
  .refine(({ pathname, search, username, password }) => pathname + search + username + password === '/', EGRESS);

const liveUrl = z
  .url({ protocol: /^https?$/, error: 'Enter a URL such as https://compliance.example.' })
  .transform(url => new URL(url));

/**
 * All settings, keyed by environment variable. The command-line options, the configuration file schema, and the README
 * table are derived from this object.
 */
export const SETTINGS = {
  DATABASE_URL: {
    description: 'PostgreSQL URL (postgres://…); if not set, the service uses SQLite in the data folder',
    schema: text,
  },
  S3_BUCKET: {
    description: 'S3 bucket for PDFs and job files; if not set, the files are stored in the data folder',
    schema: text,
  },
  S3_ENDPOINT: { description: 'S3 endpoint URL', schema: text },
  S3_REGION: { description: 'S3 region; us-east-1 by default', schema: text },
  S3_ACCESS_KEY_ID: { description: 'S3 access key ID', schema: text },
  S3_SECRET_ACCESS_KEY: { description: 'S3 secret access key', schema: text },
  S3_INPUT: {
    description: 'S3 location of the files that jobs can read, such as `s3://imports/codes/`; off by default',
    schema: text,
  },
  LINK_KEYS: {
    description:
      'one or more `id:secret` pairs for signing links, separated by spaces; required in production (otherwise, a pair is generated and stored in the data folder)',
    schema: text,
  },
  OPERATOR_SECRET: {
    description:
      'secret for signing in to the operator pages; required in production (otherwise, a secret is generated and stored in the data folder)',
    schema: text,
  },
  COMPLIANCE_DATA: { flags: '--data <dir>', description: 'service data folder', schema: text, default: './data' },
  COMPLIANCE_PORT: { flags: '--port <number>', description: 'TCP port', schema: port, default: 8787 },
  COMPLIANCE_LISTEN_ADDRESS: {
    flags: '--host <address>',
    description: 'IP address or hostname to listen on',
    schema: text,
    default: '127.0.0.1',
  },
  COMPLIANCE_LOG: {
    flags: '--log <level>',
    description: 'log level for JSON logs on standard error: info (every request), error (only failures), or silent',
    schema: z.enum(['info', 'error', 'silent'], 'Enter info, error, or silent.'),
    default: 'error',
  },
  COMPLIANCE_METRICS_PORT: {
    flags: '--metrics-port <number>',
    description: 'port that serves only /metrics, for Prometheus (default: off)',
    schema: port,
  },
  COMPLIANCE_BASE_URL: {
    flags: '--base-url <url>',
    description: 'public URL of the service; if the URL uses HTTPS, cookies have the Secure attribute',
    schema: baseUrl,
  },
  COMPLIANCE_TRUSTED_PROXIES: {
    flags: '--trusted-proxies <number>',
    description: 'number of trusted reverse proxies',
    schema: wholeNumber(9),
    default: 0,
  },
  COMPLIANCE_EGRESS: {
    flags: '--egress <url>',
    description:
      'URL of the egress proxy that connects to scanned sites and webhook receivers (default: connect directly)',
    schema: egress,
  },
  COMPLIANCE_RENDER: {
    flags: '--render <on|off|without-namespaces>',
    description:
      "whether jobs can open pages, one at a time, in an isolated browser; requires @compliance/renderer and up to 1.5 GB of memory. With `without-namespaces`, the service renders pages even if the system can't isolate the browser",
    schema: z.enum(['on', 'off', 'without-namespaces'], 'Enter on, off, or without-namespaces.'),
    default: 'off',
  },
  COMPLIANCE_EGRESS_PORT: {
    flags: '--port <number>',
    description: 'TCP port of the egress proxy',
    schema: port,
    default: 8788,
  },
  COMPLIANCE_SERVER: {
    flags: '--server <url>',
    description: 'service URL; requires an API key in COMPLIANCE_API_KEY',
    schema: text,
    default: 'http://127.0.0.1:8787',
  },
  COMPLIANCE_API_KEY: {
    description: 'API key for commands that call a service, such as `jobs` and `certify --server`',
    schema: text,
  },
  COMPLIANCE_V0_DEPRECATED: {
    flags: '--v0-deprecated <date>',
    description: 'v0 deprecation date, YYYY-MM-DD',
    schema: text,
  },
  COMPLIANCE_V0_SUNSET: {
    flags: '--v0-sunset <date>',
    description: 'date when v0 might become unavailable, YYYY-MM-DD',
    schema: text,
  },
  COMPLIANCE_CONTACT: {
    description: 'contact URL (https or mailto) that the crawler sends to scanned sites',
    schema: text,
  },
  COMPLIANCE_FLAGS: {
    flags: '--flags <file>',
    description:
      'JSON file with CPSC’s list of HTS codes flagged for eFiling, and the list’s date and source; if not set, lookups state that the list isn’t loaded',
    schema: text,
  },
  COMPLIANCE_LABS: {
    flags: '--labs <file>',
    description:
      'JSON file with a list of CPSC-accepted laboratories, and the list’s date and source; if not set, Children’s Product Certificates state that acceptance wasn’t checked',
    schema: text,
  },
  COMPLIANCE_LISTS_FROM: {
    flags: '--from <url|folder>',
    description: 'data set repository (default: the repository used for the last update)',
    schema: text,
  },
  COMPLIANCE_LISTS_ROOT: {
    flags: '--root <file>',
    description: 'file with the repository’s trusted root metadata, for the first update',
    schema: text,
  },
  COMPLIANCE_LISTS_PASSPHRASE: {
    description: 'passphrase for encrypted private keys; used by `lists key`, `lists root`, and `lists publish`',
    schema: text,
  },
  COMPLIANCE_SIGNING_KEY: {
    flags: '--sign <file>',
    description: 'PKCS#12 file with the key that signs issued certificates; if not set, certificates aren’t signed',
    schema: text,
  },
  COMPLIANCE_SIGNER: {
    flags: '--signer <module>',
    description:
      'JavaScript module that exports a signer, such as one for a key in a hardware security module or a key management service; an alternative to --sign',
    schema: text,
  },
  COMPLIANCE_SIGNING_PASSWORD: {
    description: 'password for the key file in `certify --sign` and `serve --sign`',
    schema: text,
  },
  COMPLIANCE_TIMESTAMP: {
    flags: '--timestamp <url>',
    description: 'URL of the timestamp authority (RFC 3161) for signatures; if not set, signatures have no timestamp',
    schema: text,
  },
  COMPLIANCE_DOCTOR_URL: {
    flags: '--live <url>',
    description: 'public URL of the running service; if set, `doctor` also checks this service',
    schema: liveUrl,
  },
  COMPLIANCE_DOCTOR_KEY: {
    flags: '--key <key>',
    description: 'test API key for --live; to keep the key out of process lists, set the environment variable instead',
    schema: text,
  },
  COMPLIANCE_DRAIN_DELAY: {
    flags: '--drain-delay <seconds>',
    description:
      'number of seconds after SIGTERM during which the service still accepts connections while /readyz fails, so that load balancers stop sending requests',
    schema: seconds,
    default: DEFAULT_DRAIN.delayMs / 1000,
  },
  COMPLIANCE_DRAIN_TIMEOUT: {
    flags: '--drain-timeout <seconds>',
    description: 'maximum time in seconds to finish requests in progress after the drain delay',
    schema: seconds,
    default: DEFAULT_DRAIN.timeoutMs / 1000,
  },
} satisfies Record<string, Setting>;

/** Name of a setting's environment variable. */
export type SettingName = keyof typeof SETTINGS;

/** Names of the environment variables for all settings. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

type NameOfOption = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { flags: string } ? Name : never;
}[SettingName];

/**
 * Returns the command-line option for a setting. The value can also come from the setting's environment variable.
 *
 * @example new Command('serve').addOption(settingOption('COMPLIANCE_PORT'))
 */
export function settingOption(name: NameOfOption): Option {
  const setting: Setting = SETTINGS[name];
  const option = new Option(setting.flags!, setting.description).env(name).default(setting.default);
  if (setting.schema instanceof z.ZodEnum) return option.choices(setting.schema.options as string[]);
  return option.argParser(value => {
    const { success, data, error } = setting.schema.safeParse(fromText(setting, value));
    if (!success) throw new InvalidArgumentError(error.issues[0]!.message);
    return data;
  });
}

function fromText({ schema }: Setting, value: string): string | number {
  return schema instanceof z.ZodNumber && /^\d{1,9}(\.\d{1,3})?$/.test(value) ? Number(value) : value;
}

/**
 * Returns a setting's key in the configuration file.
 *
 * @example keyOf('COMPLIANCE_BASE_URL') // 'baseUrl'
 */
export function keyOf(name: SettingName): string {
  const [first, ...others] = name
    .replace(/^COMPLIANCE_/, '')
    .toLowerCase()
    .split('_');
  return first + others.map(word => word[0]!.toUpperCase() + word.slice(1)).join('');
}
