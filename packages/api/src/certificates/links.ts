import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Keys for signing links. New links are signed with the `active` key. A link is valid if it was signed with any of the
 * configured keys.
 */
export interface LinkKeys {
  active: string;
  /**
   * Keys, by key ID. Each key must be at least 32 random bytes. Each key ID must consist of 1 to 32 lowercase letters,
   * digits, or hyphens.
   */
  keys: Readonly<Record<string, Uint8Array>>;
}

/**
 * Link target: an issued certificate and its PDF hash, or a bulk job and an empty hash. If the PDF changes, the link
 * becomes invalid.
 */
interface LinkTarget {
  id: string;
  sha256: string;
}

/** Result of verifying a link. For security, `invalid` doesn't reveal why the link was rejected. */
type LinkVerdict = 'good' | 'expired' | 'invalid';

/** Signed, short-lived links for one purpose, such as downloading certificate PDFs. */
export interface Links {
  /**
   * Returns the path and query of a link that is valid for one hour, and the link's expiration time in milliseconds
   * since the Unix epoch.
   */
  sign(target: LinkTarget, now: number): { path: string; expiresAt: number };
  /**
   * Verifies that a path and query form a valid link to the target. Changing any character of a link makes it invalid.
   *
   * @param target null if the certificate or job doesn't exist; verification does the same amount of work either way
   */
  verify(pathAndQuery: string, id: string, target: LinkTarget | null, now: number): LinkVerdict;
}

/** Purpose of links. Links for one purpose aren't valid for another. */
export interface LinkPurpose {
  readonly label: string;
  readonly method: 'GET' | 'PUT';
  readonly path: (id: string) => string;
}

const CERTIFICATE_PDF: LinkPurpose = { label: 'gcc-dl', method: 'GET', path: id => `/gcc/${id}/pdf` };

/** Lifetime of new links in seconds. */
const LIFETIME_S = 3600;
/** Maximum lifetime of any link in seconds. */
const MAX_LIFETIME_S = 7 * 86_400;
const MIN_KEY_BYTES = 32;
const KEY_ID = /^[a-z0-9-]{1,32}$/;
const QUERY = /^\?kid=([a-z0-9-]{1,32})&exp=(\d{10})&sig=([0-9a-f]{64})$/;
/** Placeholder target for unknown certificates and jobs, so that verification does the same amount of work for them. */
const NO_TARGET: LinkTarget = { id: 'none', sha256: '0'.repeat(64) };

/**
 * Creates functions that sign and verify links. By default, the links are for certificate PDFs.
 *
 * @throws RangeError if a key is too short, a key ID is malformed, or the active key is missing
 * @example createLinks({ active: 'k1', keys: { k1: randomBytes(32) } }).sign({ id, sha256 }, Date.now()).path
 */
export function createLinks({ active, keys }: LinkKeys, purpose: LinkPurpose = CERTIFICATE_PDF): Links {
  const secrets = new Map(Object.entries(keys));
  for (const [kid, secret] of secrets) {
    if (!KEY_ID.test(kid))
      throw new RangeError('A link key ID must consist of 1 to 32 lowercase letters, digits, or hyphens.');
    if (secret.byteLength < MIN_KEY_BYTES)
      throw new RangeError(`Link key ${kid} must be at least ${MIN_KEY_BYTES} bytes long.`);
  }
  const activeSecret = secrets.get(active);
  if (!activeSecret) throw new RangeError("The active link key isn't one of the configured keys.");

  return {
    sign(target, now) {
      const exp = Math.floor(now / 1000) + LIFETIME_S;
      const sig = signature(activeSecret, purpose, active, target, `${exp}`).toString('hex');
      return { path: `${purpose.path(target.id)}?kid=${active}&exp=${exp}&sig=${sig}`, expiresAt: exp * 1000 };
    },
    verify(pathAndQuery, id, target, now) {
      const path = purpose.path(id);
      const parts = pathAndQuery.startsWith(path) ? QUERY.exec(pathAndQuery.slice(path.length)) : null;
      if (!parts) return 'invalid';
      const [, kid, exp, sig] = parts as unknown as [string, string, string, string];
      // Sign even if the key or certificate is unknown, so that verification always takes the same time.
      const secret = secrets.get(kid);
      const expected = signature(secret ?? activeSecret, purpose, kid, target ?? NO_TARGET, exp);
      const matches = timingSafeEqual(Buffer.from(sig, 'hex'), expected);
      if (!secret || !target || !matches) return 'invalid';
      const seconds = Math.floor(now / 1000);
      if (Number(exp) > seconds + MAX_LIFETIME_S) return 'invalid';
      return Number(exp) > seconds ? 'good' : 'expired';
    },
  };
}

/** Signs a link's fields. Each field is on a separate line, and no field can contain a line break. */
function signature(
  secret: Uint8Array,
  { label, method }: LinkPurpose,
  kid: string,
  { id, sha256 }: LinkTarget,
  exp: string,
): Buffer {
  const message = [label, 'v1', method, kid, id, exp, sha256.slice(0, 16), 'attachment'].join('\n');
  return createHmac('sha256', secret).update(message).digest();
}
