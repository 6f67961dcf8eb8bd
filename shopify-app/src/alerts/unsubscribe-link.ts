import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Path of the unsubscribe page, which turns off a shop's alerts. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';

/**
 * Signed unsubscribe links. A link is valid only while the shop's alerts go to the email address in the link's
 * signature.
 */
export interface UnsubscribeLinks {
  urlFor(shop: string, email: string): string;
  /** Returns whether a signature is valid for a shop and the address in its settings. */
  verify(signature: string, shop: string, email: string): boolean;
}

/**
 * Creates links that are signed with the newest key. Links signed with any of the keys are valid. A link doesn't
 * contain the email address, so the address never appears in a log.
 *
 * @param keys 32-byte keys, newest first
 * @example createUnsubscribeLinks('https://app.example.com', keys).urlFor('a.myshopify.com', 'anna@example.com')
 */
export function createUnsubscribeLinks(origin: string, keys: readonly Buffer[]): UnsubscribeLinks {
  const secrets = keys.map(key => Buffer.from(hkdfSync('sha256', key, '', 'unsubscribe-v1', 32)));
  const sign = (secret: Buffer, shop: string, email: string) =>
    createHmac('sha256', secret).update(`${shop}\n${email}`).digest();
  return {
    urlFor(shop, email) {
      const signature = sign(secrets[0]!, shop, email).toString('base64url');
      return `${origin}${UNSUBSCRIBE_PATH}?${new URLSearchParams({ shop, signature })}`;
    },
    verify(signature, shop, email) {
      const given = Buffer.from(signature, 'base64url');
      return secrets.some(secret => {
        const expected = sign(secret, shop, email);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}
