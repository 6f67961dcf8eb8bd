import { redact } from '../scan/redact.ts';

/** Matches names of parameters that contain personal data, in the spellings that vendors use. */
const PERSONAL_NAME =
  /^\$?(?:e-?mail(?:_address)?|em|phone(?:_number)?|ph|tel|first_?name|fn|last_?name|ln|full_?name|street|address|zip(?:_code)?|zp|postal_?code|date_of_birth|dob|db|external_id|customer_id|user_id|client_user_agent|ip(?:_address)?)$/i;

/** Matches hashes (SHA-256), which vendors accept in place of email addresses and phone numbers. */
const HASH = /^[0-9a-f]{64}$/i;

/**
 * Returns the value of an event's parameter without personal data: `null` if the parameter's name or the value's format
 * indicates personal data, or otherwise text in which email addresses, phone numbers, and tokens are masked.
 *
 * @example withoutPersonalData('content_name', 'Gift for ana@example.com') // 'Gift for [email]'
 */
export function withoutPersonalData(name: string, value: string): string | null {
  if (PERSONAL_NAME.test(name) || HASH.test(value.trim())) return null;
  return redact(value);
}
