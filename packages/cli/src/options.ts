import { DEFAULT_DRAIN } from '@compliance/server';
import { Option } from 'commander';
import { CliError } from './cli-error.ts';

/** Product areas that an API key can access. */
export const KEY_SCOPES = ['pixel', 'entry', 'tariff', 'all'];

/** Options shared by all commands that use the store and support JSON output. */
export interface StoreCommandOptions {
  data: string;
  json?: boolean;
}

/** Returns the `--data` option. */
export function dataOption(): Option {
  return new Option('--data <dir>', 'service data folder').env('COMPLIANCE_DATA').default('./data');
}

/** Returns the `--json` option. */
export function jsonOption(description = 'print JSON'): Option {
  return new Option('--json', description);
}

/** Returns the `--output-file` option for a command that issues a key. */
export function keyFileOption(): Option {
  return new Option(
    '--output-file <file>',
    'write the key to a new file that only you can read, and don’t print it',
  ).conflicts('json');
}

/** Returns the `--limit` option, which accepts a number from 1 to 1000. */
export function limitOption(): Option {
  return new Option('--limit <number>', 'maximum number of results').argParser(count('--limit', 1000)).default(50);
}

/** Returns the `--host` option. */
export function listenOption(): Option {
  return new Option('--host <address>', 'IP address or hostname to listen on')
    .env('COMPLIANCE_LISTEN_ADDRESS')
    .default('127.0.0.1');
}

/** Returns the `--egress` option. */
export function egressOption(): Option {
  return new Option(
    '--egress <url>',
    'URL of the egress proxy that connects to scanned sites and webhook receivers (default: connect directly)',
  )
    .env('COMPLIANCE_EGRESS')
    .argParser(egress);
}

/** Returns the `--base-url` option. */
export function baseUrlOption(): Option {
  return new Option(
    '--base-url <url>',
    'public URL of the service; if it uses HTTPS, cookies have the Secure attribute',
  )
    .env('COMPLIANCE_BASE_URL')
    .argParser(baseUrl);
}

/** Returns the `--trusted-proxies` option. */
export function proxiesOption(): Option {
  return new Option('--trusted-proxies <number>', 'number of trusted reverse proxies')
    .env('COMPLIANCE_TRUSTED_PROXIES')
    .argParser(proxies)
    .default(0);
}

/** Returns the `--drain-delay` option. */
export function drainDelayOption(): Option {
  return new Option(
    '--drain-delay <seconds>',
    'time after SIGTERM during which /readyz fails but the service still accepts connections, so that load balancers notice the shutdown',
  )
    .env('COMPLIANCE_DRAIN_DELAY')
    .argParser(seconds('--drain-delay'))
    .default(DEFAULT_DRAIN.delayMs / 1000);
}

/** Returns the `--drain-timeout` option. */
export function drainTimeoutOption(): Option {
  return new Option('--drain-timeout <seconds>', 'maximum time to finish requests in progress after the drain delay')
    .env('COMPLIANCE_DRAIN_TIMEOUT')
    .argParser(seconds('--drain-timeout'))
    .default(DEFAULT_DRAIN.timeoutMs / 1000);
}

/** Returns a parser for a number of seconds from 0 to 600. */
function seconds(option: string): (text: string) => number {
  return text => {
    const number = Number(text);
    if (!/^\d{1,3}(\.\d{1,3})?$/.test(text) || number > 600)
      throw new CliError(`${option} ${text}: enter a number of seconds from 0 to 600.`, 2);
    return number;
  };
}

/** Returns a parser for a whole number from 1 to `max`. */
export function count(option: string, max: number): (text: string) => number {
  return text => {
    const number = Number(text);
    if (!/^\d{1,4}$/.test(text) || number < 1 || number > max)
      throw new CliError(`${option} ${text}: enter a number from 1 to ${max}.`, 2);
    return number;
  };
}

/** Parses a TCP port. */
export function port(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535)
    throw new CliError(`Port ${text}: enter a number from 0 to 65535.`, 2);
  return number;
}

function baseUrl(text: string): string {
  const { protocol, origin } = URL.canParse(text) ? new URL(text) : { protocol: '', origin: '' };
  if (!/^https?:$/.test(protocol))
    throw new CliError(`--base-url ${text}: enter a URL such as https://compliance.example.`, 2);
  return origin;
}

function egress(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'http:' && `${url.pathname}${url.search}${url.username}${url.password}` === '/';
  if (!url || !isPlain) throw new CliError(`--egress ${text}: enter a URL such as http://egress:8788.`, 2);
  return url;
}

function proxies(text: string): number {
  if (!/^\d$/.test(text)) throw new CliError(`--trusted-proxies ${text}: enter a number from 0 to 9.`, 2);
  return Number(text);
}
