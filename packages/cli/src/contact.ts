import { isContact } from '@compliance/crawler';
import { Failure } from './failure.ts';

/**
 * Where owners of scanned sites can complain, sent in the user agent: `COMPLIANCE_CONTACT`, an https or mailto URL. Without
 * it an address that leads nowhere stands there, so that nobody else is blamed.
 *
 * @throws Failure when it is set to anything else
 * @example contactOf(process.env) // 'mailto:scans@example.com'
 */
export function contactOf({ COMPLIANCE_CONTACT: given }: NodeJS.ProcessEnv): string {
  if (!given) return 'https://contact-not-set.invalid/';
  if (!isContact(given)) throw new Failure('COMPLIANCE_CONTACT is neither an https nor a mailto address.');
  return given;
}
