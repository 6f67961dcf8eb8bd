import type { SendWebhook, WebhookOutcome } from '@compliance/crawler';
import type { DeliveryOutcome, DueDelivery, Store } from '@compliance/store';
import { signWebhook } from './sign-webhook.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Webhook delivery dependencies. */
export interface DeliveryDeps {
  store: Pick<Store, 'watches'>;
  /** Returns milliseconds since the Unix epoch. */
  clock: () => number;
  send: SendWebhook;
  secrets: WebhookSecrets;
  /** Returns a random number from 0 to 1, for retry jitter. */
  random: () => number;
}

/**
 * How long to wait before another process delivers an event if this process stops, in milliseconds. This time is longer
 * than an attempt can take.
 */
const LEASE_MS = 60_000;

/** Number of concurrent deliveries. */
const CONCURRENCY = 4;

/**
 * Delays before the second and later attempts, in milliseconds. If the last attempt fails, the delivery has failed permanently.
 */
const PAUSES = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000];

/** Maximum delay that a receiver can request, in milliseconds. */
const MAX_PAUSE_MS = 86_400_000;

/**
 * Delivers every event whose delivery is due, signed according to Standard Webhooks. Several processes can call this function at
 * the same time, and each event is delivered by one of them. If that process stops before it records the outcome, another process
 * delivers the event again, with the same `webhook-id`.
 *
 * @returns the number of attempts
 * @example await deliverWebhooks({ store, clock: Date.now, send: createWebhookSender(publicTransport), secrets, random: Math.random })
 */
export async function deliverWebhooks(deps: DeliveryDeps): Promise<number> {
  const deliverAll = async (): Promise<number> => {
    for (let attempts = 0; ; attempts++) {
      const due = await deps.store.watches.claimDelivery(LEASE_MS);
      if (!due) return attempts;
      await due.finish(await attempt(due, deps));
    }
  };
  const attempts = await Promise.all(Array.from({ length: CONCURRENCY }, deliverAll));
  return attempts.reduce((sum, count) => sum + count, 0);
}

async function attempt(due: DueDelivery, { clock, send, secrets, random }: DeliveryDeps): Promise<DeliveryOutcome> {
  const { watch, seq, createdAt, body, attempts } = due;
  const active = secrets.active(watch.webhookSecrets ?? '[]', watch.id, clock());
  if (watch.webhookUrl === null || active.length === 0)
    return { delivered: false, error: 'no_signing_key', retryAt: null };
  const data = { watch_id: watch.id, watch_name: watch.name, seq, ...JSON.parse(body) };
  const payload = JSON.stringify({ type: 'tariff.watch.changed', timestamp: new Date(createdAt).toISOString(), data });
  const signed = signWebhook(webhookIdOf(watch.id, seq), payload, clock(), active);
  const headers = { 'content-type': 'application/json', 'user-agent': 'PortfolioCompliance-Webhooks/1.0', ...signed };
  const outcome = await send({ url: watch.webhookUrl, headers, body: payload });
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) return { delivered: true };
  const error = 'status' in outcome ? `status ${outcome.status}` : outcome.failure;
  // According to the specification, 410 means that the receiver doesn't want any more webhooks.
  const isGone = 'status' in outcome && outcome.status === 410;
  const pause = PAUSES[attempts - 1];
  if (isGone || pause === undefined) return { delivered: false, error, retryAt: null };
  // Jitter keeps the deliveries to a receiver that was unavailable from arriving all at once.
  const jittered = pause * (0.9 + 0.2 * random());
  return { delivered: false, error, retryAt: clock() + Math.round(Math.max(jittered, requestedPause(outcome))) };
}

/** Returns an event's message ID, which doesn't change when the event is delivered again. */
function webhookIdOf(watchId: string, seq: number): string {
  return `msg_${watchId}_${seq}`;
}

function requestedPause(outcome: WebhookOutcome): number {
  const seconds = 'status' in outcome && /^\d{1,6}$/.test(outcome.retryAfter ?? '') ? Number(outcome.retryAfter) : 0;
  return Math.min(seconds * 1000, MAX_PAUSE_MS);
}
