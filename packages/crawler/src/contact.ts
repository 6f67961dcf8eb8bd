/**
 * Whether a text says where the owner of a site can complain: an https or mailto URL, which may stand in a header as it is.
 *
 * @example isContact('mailto:scans@example.com') // true
 * @example isContact('call us') // false
 */
export function isContact(text: string): boolean {
  return /^(https:\/\/|mailto:)[\x21-\x7e]+$/.test(text) && URL.canParse(text);
}
