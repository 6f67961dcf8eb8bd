import { createHmac } from 'node:crypto';

/**
 * Returns the headers of a signed webhook (Standard Webhooks 1.0.0). The webhook is signed with each active secret so
 * that receivers can switch to a new secret while both are active.
 *
 * @param id message ID, which stays the same if the message is delivered again
 * @param now time of the delivery attempt, in milliseconds since the Unix epoch
 * @param secrets active secrets, newest first
 * @example signWebhook('msg_1', '{}', Date.now(), [secret])['webhook-signature'] // 'v1,M04OjfrIllUQVh7F6qzV64l0HX5jtzZ3ZYON+pgbpLA='
 */
export function signWebhook(
  id: string,
  body: string,
  now: number,
  secrets: readonly Uint8Array[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = `${Math.floor(now / 1000)}`;
  const signatures = secrets.map(secret => {
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${signature}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
