import { isContact } from '@compliance/crawler';
import { CliError } from './cli-error.ts';

/**
 * Returns the contact URL that the crawler includes in its user agent. The URL is the value of `COMPLIANCE_CONTACT`, which must
 * be an HTTPS or mailto URL. If `COMPLIANCE_CONTACT` isn't set, returns a URL in the reserved `.invalid` domain, which can't
 * belong to anyone.
 *
 * @throws `CliError` if `COMPLIANCE_CONTACT` isn't an HTTPS or mailto URL
 * @example contactOf(process.env) // 'mailto:scans@example.com'
 */
export function contactOf({ COMPLIANCE_CONTACT: contact }: NodeJS.ProcessEnv): string {
  if (!contact) return 'https://contact-not-set.invalid/';
  if (!isContact(contact)) throw new CliError('COMPLIANCE_CONTACT must be an HTTPS or mailto URL.');
  return contact;
}
