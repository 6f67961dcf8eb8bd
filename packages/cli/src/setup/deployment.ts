import { randomBytes } from 'node:crypto';
import { isContact } from '@compliance/crawler';
import { Option } from 'commander';
import { CliError } from '../cli-error.ts';

/** Options that every deployment needs. */
export interface DeploymentOptions {
  /** Public hostname. */
  readonly host: string;
  /** Contact URL for owners of scanned sites. */
  readonly contact: string;
  readonly dryRun?: boolean;
}

/** Returns the `--host` option. */
export function hostOption(): Option {
  return new Option('--host <hostname>', 'public hostname, such as compliance.example')
    .argParser(hostname)
    .makeOptionMandatory();
}

/** Returns the `--contact` option. */
export function contactOption(): Option {
  return new Option('--contact <url>', 'contact URL (https or mailto) for owners of scanned sites')
    .argParser(contact)
    .makeOptionMandatory();
}

/** Returns the `--dry-run` option. */
export function dryRunOption(): Option {
  return new Option('--dry-run', 'print the files, without secrets, instead of writing them');
}

/** Returns new values for the secrets that the service requires in production. */
export function newSecrets(): { OPERATOR_SECRET: string; LINK_KEYS: string } {
  return {
    OPERATOR_SECRET: randomBytes(32).toString('base64url'),
    LINK_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  };
}

/** Formats settings as lines that systemd, Docker Compose, and shells all parse the same way. */
export function envLines(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${/^[\w@%+=:,./-]*$/.test(value) ? value : JSON.stringify(value)}\n`)
    .join('');
}

function hostname(text: string): string {
  if (/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text))
    return text;
  throw new CliError(`--host ${text}: enter only a lowercase hostname, such as compliance.example.`, 2);
}

function contact(text: string): string {
  // Reject characters that have special meanings in shells or environment files.
  if (isContact(text) && !/[\s"'$`\\]/.test(text)) return text;
  throw new CliError(`--contact ${text}: enter an HTTPS URL, or mailto: followed by your email address.`, 2);
}
