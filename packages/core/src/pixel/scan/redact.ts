/**
 * Masks email addresses, phone numbers, and tokens in text for display, and truncates the text to 400 characters. Keeps
 * the first six characters of a token, so that the token's owner can recognize it.
 *
 * @example redact('to ana@example.com') // 'to [email]'
 */
export const redact = (text: string): string => withoutSecrets(text.slice(0, 400));

/**
 * Returns whether text contains an email address, a phone number, or a token.
 *
 * @example containsPersonalData('to ana@example.com') // true
 */
export const containsPersonalData = (text: string): boolean => withoutSecrets(text) !== text;

const withoutSecrets = (text: string): string =>
  text
    .replace(/[\w.+-]{1,64}(?:@|%40)[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}/g, '[email]')
    .replace(/EAA[A-Za-z0-9]{17,}/g, token => `${token.slice(0, 6)}…`)
    .replace(
      /((?:api_secret|access_token|accessToken|apiSecret|token|secret|password)["']?\s{0,4}[=:]\s{0,4}["']?)([\w.-]{8,})/gi,
      (_found, key: string, value: string) => `${key}${value.slice(0, 6)}…`,
    )
    .replace(/\+\d[\d\s().-]{7,18}\d/g, '[phone]')
    .replace(/(?<!\d)(?:\(\d{3}\)\s?|\d{3}[-.\s])\d{3}[-.\s]\d{4}\b/g, '[phone]');
