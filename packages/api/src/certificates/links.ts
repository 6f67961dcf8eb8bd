import { createHmac, timingSafeEqual } from 'node:crypto';

/** The secrets that download links are signed with. Links of every listed key are taken; new ones are made with `active`. */
export interface LinkKeys {
  active: string;
  /** By key id of 1 to 32 small letters, digits and hyphens: at least 32 random bytes each. */
  keys: Readonly<Record<string, Uint8Array>>;
}

/** What a link leads to: an issued certificate, and the hash of its PDF, so that a link dies with its file. */
interface LinkTarget {
  id: string;
  sha256: string;
}

/** How a link was found. `invalid` says no more than that on purpose. */
type LinkVerdict = 'good' | 'expired' | 'invalid';

/** Signed, short-lived links to the PDF of a certificate. */
export interface Links {
  /** The path and query of a link that holds for an hour, and when it ends (milliseconds since 1970). */
  sign(target: LinkTarget, now: number): { path: string; expiresAt: number };
  /**
   * Whether a path and query is a link to the target. Exactly one spelling of each link is taken.
   *
   * @param target null when there is no such certificate; the work is the same then
   */
  verify(pathAndQuery: string, id: string, target: LinkTarget | null, now: number): LinkVerdict;
}

/** How long a link holds, and the longest that any may claim to. */
const LIFETIME_S = 3600;
const MAX_LIFETIME_S = 7 * 86_400;
const MIN_KEY_BYTES = 32;
const KEY_ID = /^[a-z0-9-]{1,32}$/;
const QUERY = /^\?kid=([a-z0-9-]{1,32})&exp=(\d{10})&sig=([0-9a-f]{64})$/;
const NOBODY: LinkTarget = { id: 'none', sha256: '0'.repeat(64) };

/**
 * Makes links of keys.
 *
 * @throws RangeError when a key is short, a key id is malformed, or the active key is not there
 * @example createLinks({ active: 'k1', keys: { k1: randomBytes(32) } }).sign({ id, sha256 }, Date.now()).path
 */
export function createLinks({ active, keys }: LinkKeys): Links {
  const secrets = new Map(Object.entries(keys));
  for (const [kid, secret] of secrets) {
    if (!KEY_ID.test(kid)) throw new RangeError('A link key id has 1 to 32 small letters, digits and hyphens.');
    if (secret.byteLength < MIN_KEY_BYTES)
      throw new RangeError(`Link key ${kid} is shorter than ${MIN_KEY_BYTES} bytes.`);
  }
  const activeSecret = secrets.get(active);
  if (!activeSecret) throw new RangeError('The active link key is not among the keys.');

  return {
    sign(target, now) {
      const exp = Math.floor(now / 1000) + LIFETIME_S;
      const sig = signature(activeSecret, active, target, `${exp}`).toString('hex');
      return { path: `${pathOf(target.id)}?kid=${active}&exp=${exp}&sig=${sig}`, expiresAt: exp * 1000 };
    },
    verify(pathAndQuery, id, target, now) {
      const path = pathOf(id);
      const parts = pathAndQuery.startsWith(path) ? QUERY.exec(pathAndQuery.slice(path.length)) : null;
      if (!parts) return 'invalid';
      const [, kid, exp, sig] = parts as unknown as [string, string, string, string];
      // An unknown key or certificate costs as much as a known one.
      const secret = secrets.get(kid);
      const expected = signature(secret ?? activeSecret, kid, target ?? NOBODY, exp);
      const held = timingSafeEqual(Buffer.from(sig, 'hex'), expected);
      if (!secret || !target || !held) return 'invalid';
      const seconds = Math.floor(now / 1000);
      if (Number(exp) > seconds + MAX_LIFETIME_S) return 'invalid';
      return Number(exp) > seconds ? 'good' : 'expired';
    },
  };
}

function pathOf(id: string): string {
  return `/gcc/${id}/pdf`;
}

/** Every field stands on a line of its own and none can hold a line end. */
function signature(secret: Uint8Array, kid: string, { id, sha256 }: LinkTarget, exp: string): Buffer {
  const message = ['gcc-dl', 'v1', 'GET', kid, id, exp, sha256.slice(0, 16), 'attachment'].join('\n');
  return createHmac('sha256', secret).update(message).digest();
}
