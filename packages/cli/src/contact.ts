/**
 * Where owners of scanned sites can complain, sent in the user agent: `COMPLIANCE_CONTACT`, an https or mailto URL. Without
 * it an address that leads nowhere stands there, so that nobody else is blamed.
 */
export function contact(): string {
  return process.env.COMPLIANCE_CONTACT ?? 'https://contact-not-set.invalid/';
}
