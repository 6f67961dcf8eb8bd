import { webcrypto } from '#webcrypto';

/** Webhook headers, such as `request.headers`. Names are case-insensitive. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Error for a webhook that fails verification. Respond with status 400, and don't process the webhook. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

const TOLERANCE_S = 300;

/**
 * Verifies the signature and the age of a webhook and returns its parsed body.
 *
 * @param body the body exactly as received
 * @param secret the watch's secret, which starts with `whsec_`, or several secrets during a rotation
 * @param now current time in milliseconds (default: the system clock); a webhook's timestamp can be up to five minutes
 * earlier or later
 * @throws WebhookVerificationError if a header is missing, no signature matches, the webhook is too old or too new, or
 * the body isn't JSON
 * @example const { data } = await verifyWebhook(await request.text(), request.headers, process.env.WEBHOOK_SECRET);
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  now: number = Date.now(),
): Promise<unknown> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
    headerOf(headers, name),
  ) as [string, string, string];
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now / 1000 - seconds) <= TOLERANCE_S))
    throw new WebhookVerificationError("The webhook timestamp isn't within five minutes of the current time.");
  const signed = new Uint8Array(await new Blob([`${id}.${timestamp}.`, body as Uint8Array<ArrayBuffer>]).arrayBuffer());
  const given = signatures.split(' ').flatMap(each => (each.startsWith('v1,') ? [fromBase64(each.slice(3))] : []));
  let matches = false;
  for (const bytes of (typeof secret === 'string' ? [secret] : secret).map(keyOf)) {
    const key = await webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    // `verify` compares the signatures in constant time.
    for (const signature of given) matches = (await webcrypto.subtle.verify('HMAC', key, signature, signed)) || matches;
  }
  if (!matches) throw new WebhookVerificationError('The webhook signature is invalid.');
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw new WebhookVerificationError("The webhook body isn't JSON.");
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The ${name} header is missing.`);
  return value;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  if (key.length === 0) throw new TypeError("The webhook secret isn't valid.");
  return key;
}

/** Decodes base64. Returns an empty array if the text isn't valid base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
