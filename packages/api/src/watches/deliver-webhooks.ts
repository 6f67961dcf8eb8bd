import type { SendWebhook, WebhookOutcome } from '@compliance/crawler';
import type { DueDelivery, Store } from '@compliance/store';
import { startQueueWorker, type Worker } from '@compliance/store/jobs';
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
  /** Worker ID for logs. */
  name: string;
  onFailure: (failure: unknown) => void;
  /** Polling interval while no delivery is due, in milliseconds. Defaults to 2 seconds. */
  idleMs?: number;
}

/**
 * Maximum number of concurrent deliveries per process, in total and per account. The limit per account prevents one
 * account's slow receivers from occupying every slot.
 */
const CONCURRENCY = 4;
const PER_ACCOUNT = 3;

const IDLE_MS = 2_000;

/**
 * Delays before the second and later attempts, in milliseconds. Together, the delays give a receiver about three days
 * to recover.
 */
const PAUSES = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000];

/** Maximum delay that a receiver can request, in milliseconds. */
const MAX_PAUSE_MS = 86_400_000;

/** A failed attempt to deliver an event. */
class DeliveryFailed extends Error {
  readonly isFinal: boolean;
  /** Delay that the receiver requested, in milliseconds. */
  readonly requestedMs: number;

  constructor(code: string, { isFinal = false, requestedMs = 0 } = {}) {
    super(code);
    this.isFinal = isFinal;
    this.requestedMs = requestedMs;
  }
}

/**
 * Starts a worker that delivers events, signed according to Standard Webhooks. Any number of processes can run workers,
 * and each event is delivered by one of them. If that process stops before it records the outcome, another process
 * delivers the event again, with the same `webhook-id`. An event becomes a dead letter after ten failed attempts, or
 * immediately if the receiver returns status 410.
 *
 * @example
 * const worker = startWebhookWorker({ store, clock: Date.now, send: createWebhookSender(publicTransport), secrets, random: Math.random, name: 'host 4711', onFailure: console.error });
 * await worker.stop();
 */
export function startWebhookWorker({ name, onFailure, idleMs = IDLE_MS, ...deps }: DeliveryDeps): Worker {
  const { store, clock, random } = deps;
  return startQueueWorker({
    ...{ clock, name, idleMs, concurrency: CONCURRENCY, maxPerTenant: PER_ACCOUNT, logFailure: onFailure },
    claim: (worker, leaseMs, options) => store.watches.claimDelivery(worker, leaseMs, options),
    run: due => deliver(due, deps),
    async failureOf(error, { attempt }) {
      if (!(error instanceof DeliveryFailed)) onFailure(error);
      const { message, isFinal, requestedMs } =
        error instanceof DeliveryFailed ? error : new DeliveryFailed('internal');
      // Without jitter, all retries could arrive at once when a receiver becomes available again.
      const jittered = (PAUSES[attempt - 1] ?? MAX_PAUSE_MS) * (0.9 + 0.2 * random());
      return { code: message, isFinal, retryAt: clock() + Math.round(Math.max(jittered, requestedMs)) };
    },
  });
}

/** Makes one attempt to deliver an event. @throws DeliveryFailed */
async function deliver(
  { watch, event }: DueDelivery,
  { clock, send, secrets }: Pick<DeliveryDeps, 'clock' | 'send' | 'secrets'>,
): Promise<void> {
  const { seq, createdAt, body } = event;
  const active = secrets.active(watch.webhookSecrets ?? '[]', watch.id, clock());
  if (watch.webhookUrl === null || active.length === 0) throw new DeliveryFailed('no_signing_key', { isFinal: true });
  const data = { watch_id: watch.id, watch_name: watch.name, seq, ...JSON.parse(body) };
  const payload = JSON.stringify({ type: 'tariff.watch.changed', timestamp: new Date(createdAt).toISOString(), data });
  const signed = signWebhook(webhookIdOf(watch.id, seq), payload, clock(), active);
  const headers = { 'content-type': 'application/json', 'user-agent': 'PortfolioCompliance-Webhooks/1.0', ...signed };
  const outcome = await send({ url: watch.webhookUrl, headers, body: payload });
  if ('failure' in outcome) throw new DeliveryFailed(outcome.failure);
  const { status } = outcome;
  if (status >= 200 && status < 300) return;
  // According to the specification, 410 means that the receiver doesn't want any more webhooks.
  throw new DeliveryFailed(`status ${status}`, { isFinal: status === 410, requestedMs: requestedPause(outcome) });
}

/** Returns an event's message ID, which doesn't change when the event is delivered again. */
function webhookIdOf(watchId: string, seq: number): string {
  return `msg_${watchId}_${seq}`;
}

function requestedPause(outcome: WebhookOutcome): number {
  const seconds = 'status' in outcome && /^\d{1,6}$/.test(outcome.retryAfter ?? '') ? Number(outcome.retryAfter) : 0;
  return Math.min(seconds * 1000, MAX_PAUSE_MS);
}
