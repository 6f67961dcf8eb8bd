import { product } from './robots/robots.ts';

/**
 * Returns whether a string can be used as the contact in the user agent. A contact is an HTTPS or mailto URL that can
 * be sent in a header.
 *
 * @example isContact('mailto:scans@example.com') // true
 * @example isContact('call us') // false
 */
export function isContact(text: string): boolean {
  return /^(https:\/\/|mailto:)[\x21-\x7e]+$/.test(text) && URL.canParse(text);
}

/**
 * Returns a user agent that identifies the scanner, includes the contact, and doesn't imitate a browser.
 *
 * @throws TypeError if `contact` isn't an HTTPS or mailto URL
 * @example userAgent('mailto:scans@example.com') // 'PortfolioCompliance/0.1 (storefront tag scan; +mailto:scans@example.com)'
 */
export function userAgent(contact: string): string {
  if (!isContact(contact)) throw new TypeError('contact must be an HTTPS or mailto URL');
  return `${product}/0.1 (storefront tag scan; +${contact})`;
}
