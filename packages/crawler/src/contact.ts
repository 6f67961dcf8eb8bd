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
