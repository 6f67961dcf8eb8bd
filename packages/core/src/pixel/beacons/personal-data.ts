import { redact } from '../scan/redact.ts';

/** Matches the names that vendors use for parameters that contain personal data. */
const PERSONAL_NAME =
  /^\$?(?:e-?mail(?:_address)?|em|phone(?:_number)?|ph|tel|first_?name|fn|last_?name|ln|full_?name|street|address|zip(?:_code)?|zp|postal_?code|date_of_birth|dob|db|external_id|customer_id|user_id|client_user_agent|ip(?:_address)?)$/i;

/** Matches SHA-256 hashes, which vendors accept in place of email addresses and phone numbers. */
const HASH = /^[0-9a-f]{64}$/i;

/**
 * Removes personal data from an event parameter's value. Returns `null` if the parameter's name or the value's format
 * indicates personal data. Otherwise, masks email addresses, phone numbers, and tokens.
 *
 * @example withoutPersonalData('content_name', 'Gift for ana@example.com') // 'Gift for [email]'
 */
export function withoutPersonalData(name: string, value: string): string | null {
  if (PERSONAL_NAME.test(name) || HASH.test(value.trim())) return null;
  return redact(value);
}
