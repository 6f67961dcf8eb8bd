import { isContact } from '@compliance/crawler';
import { CliError } from './cli-error.ts';

/**
 * Returns the contact URL for the crawler's user agent: the HTTPS or mailto URL in `COMPLIANCE_CONTACT`. If
 * `COMPLIANCE_CONTACT` isn't set, returns a URL in the reserved `.invalid` domain, which can't belong to anyone.
 *
 * @throws `CliError` if `COMPLIANCE_CONTACT` isn't an HTTPS or mailto URL
 * @example contactOf(process.env) // 'mailto:scans@example.com'
 */
export function contactOf({ COMPLIANCE_CONTACT: contact }: NodeJS.ProcessEnv): string {
  if (!contact) return 'https://contact-not-set.invalid/';
  if (!isContact(contact)) throw new CliError('COMPLIANCE_CONTACT must be an HTTPS or mailto URL.');
  return contact;
}
