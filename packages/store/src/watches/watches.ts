import { randomBytes } from 'node:crypto';
import type { NewId } from '../database/ids.ts';
import type { Database, WatchEventRow, WatchRow } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import type { ClaimOptions, LeasedJob, QueueView } from '../jobs/queue.ts';
import { createDeliveries, type DeliveryState } from './deliveries.ts';

/** Data set for evaluating watches. */
export interface WatchDataset {
  readonly sha256: string;
  /** Calendar version, such as `2026.11.1`. */
  readonly version: string;
  /** Returns the data set as JSON for `loadDataset`. Called only if the data set isn't stored yet. */
  readonly body: () => string;
}

/** A watch on a list of HTS codes. Times are in milliseconds since the Unix epoch. */
export interface Watch {
  readonly id: string;
  /** Key family that owns the watch. */
  readonly family: string;
  readonly name: string;
  readonly codeCount: number;
  readonly createdAt: number;
  /** SHA-256 hash of the data set that the watch was last evaluated against. */
  readonly datasetSha256: string;
  /** Date of the last evaluation, YYYY-MM-DD. */
  readonly evaluatedOn: string;
  /** Sequence number of the last event, or 0 if the watch has no events. */
  readonly lastSeq: number;
  readonly webhookUrl: string | null;
  /** Identifiers of the webhook signing secrets, without the secrets themselves. */
  readonly webhookSecrets: string | null;
}

/** New watch, which counts as already evaluated against `dataset` on `evaluatedOn`. */
export interface NewWatch {
  readonly family: string;
  readonly name: string;
  readonly codes: readonly unknown[];
  readonly dataset: WatchDataset;
  readonly evaluatedOn: string;
  readonly webhook: { readonly url: string; readonly secrets: string } | null;
}

/** Watch event. */
export interface WatchEvent {
  readonly seq: number;
  readonly createdAt: number;
  /** The event as JSON, stored unchanged. */
  readonly body: string;
}

/**
 * Watch that is due for evaluation and leased by this process. The lease is a fencing token: `finish` changes nothing
 * if another process has taken over.
 */
export interface DueWatch extends Watch {
  /** Yields the watch's codes in order, in batches. */
  codes(): AsyncIterable<readonly unknown[]>;
  /** Returns, as JSON, the data set that the watch was last evaluated against. */
  previousDataset(): Promise<string>;
  /** Extends the lease. Returns whether this process still holds the lease. */
  extend(): Promise<boolean>;
  /**
   * Stores the events and ends the evaluation, in one transaction. Returns false without storing anything if the lease
   * was lost.
   */
  finish(events: readonly string[]): Promise<boolean>;
}

/** A delivery of an event, claimed by a worker. */
export interface DueDelivery extends LeasedJob {
  readonly watch: Watch;
  readonly event: WatchEvent;
}

/** HTS code watches. Each watch belongs to one key family, and other families can't see it. */
export interface Watches {
  /**
   * The queue of all families' webhook deliveries. A delivery's key is the watch's ID, a slash, and the event's
   * zero-padded sequence number.
   */
  readonly queue: QueueView;
  /**
   * Stores a watch.
   *
   * @throws StoreError with `watch_limit` if the key family already has 20 watches
   */
  create(watch: NewWatch): Promise<Watch>;
  /** Returns a key family's watches, newest first. */
  list(family: string): Promise<Watch[]>;
  /** @throws StoreError with `watch_unknown` */
  get(family: string, id: string): Promise<Watch>;
  /** Deletes a watch with its codes and events. @throws StoreError with `watch_unknown` */
  delete(family: string, id: string): Promise<void>;
  /** Replaces the text that identifies a watch's signing secrets. @throws StoreError with `watch_unknown` */
  setSecrets(family: string, id: string, secrets: string): Promise<Watch>;
  /**
   * Returns a watch's events after a sequence number, oldest first.
   *
   * @throws StoreError with `watch_unknown`
   */
  events(
    family: string,
    id: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<(WatchEvent & DeliveryState)[]>;
  /**
   * Schedules the events that follow a sequence number for immediate redelivery. Returns the number of scheduled
   * events, or 0 if the watch has no webhook.
   *
   * @param events sequence number, and whether to redeliver only permanently failed events or also delivered events
   * @throws StoreError with `watch_unknown`
   */
  redeliver(
    family: string,
    id: string,
    events: { readonly after: number; readonly onlyFailed: boolean },
  ): Promise<number>;
  /**
   * Claims a watch that is due for evaluation because the data set or the date is newer than at the last evaluation.
   * Skips watches whose key family has no valid key. Returns null if no watch is due.
   */
  claimEvaluation(dataset: WatchDataset, today: string, leaseMs: number): Promise<DueWatch | null>;
  /** Claims the next delivery that is due. Key families take turns. Returns null if no delivery is due. */
  claimDelivery(worker: string, leaseMs: number, options?: ClaimOptions): Promise<DueDelivery | null>;
}

/** Maximum number of watches per key family. */
const MAX_WATCHES = 20;

/** Number of codes per row, chosen to keep rows small. */
const CODES_PER_PART = 1000;

/** Number of rows per insert statement. */
const ROWS_PER_INSERT = 20;

/** Event retention period, in milliseconds (90 days). */
const KEEP_EVENTS_MS = 90 * 86_400_000;

export function createWatches(durable: Database, clock: () => number, newId: NewId): Watches {
  const deliveries = createDeliveries(durable, clock, newId);

  async function find(db: Database, family: string, id: string): Promise<WatchRow> {
    const query = db.selectFrom('watches').selectAll().where('id', '=', id).where('family', '=', family);
    const row = await query.executeTakeFirst();
    if (!row) throw new StoreError('watch_unknown', `The key family has no watch with the ID ${JSON.stringify(id)}.`);
    return row;
  }

  async function keepDataset(trx: Database, { sha256, body }: WatchDataset): Promise<void> {
    const known = await trx.selectFrom('watch_datasets').select('sha256').where('sha256', '=', sha256).execute();
    if (known.length > 0) return;
    await trx
      .insertInto('watch_datasets')
      .values({ sha256, body: body() })
      .onConflict(conflict => conflict.column('sha256').doNothing())
      .execute();
  }

  /**
   * Serializes a key family's concurrent transactions. PostgreSQL locks the row of the family's oldest key, which is
   * never deleted. SQLite runs one transaction at a time anyway.
   */
  async function lockFamily(trx: Database, family: string): Promise<void> {
    await trx
      .updateTable('keys')
      .set({ family })
      .where('id', '=', eb =>
        eb
          .selectFrom('keys')
          .select(({ fn }) => fn.min('keys.id').as('id'))
          .where('keys.family', '=', family),
      )
      .execute();
  }

  function createDueWatch(
    row: WatchRow,
    lease: string,
    dataset: WatchDataset,
    today: string,
    leaseMs: number,
  ): DueWatch {
    return {
      ...toWatch(row),
      async *codes() {
        for (let part = 0; part * CODES_PER_PART < row.code_count; part++) {
          const { body } = await durable
            .selectFrom('watch_codes')
            .select('body')
            .where('watch_id', '=', row.id)
            .where('part', '=', part)
            .executeTakeFirstOrThrow();
          yield JSON.parse(body);
        }
      },
      async previousDataset() {
        const query = durable.selectFrom('watch_datasets').select('body').where('sha256', '=', row.dataset_sha256);
        return (await query.executeTakeFirstOrThrow()).body;
      },
      async extend() {
        const held = await durable
          .updateTable('watches')
          .set({ leased_until: clock() + leaseMs })
          .where('id', '=', row.id)
          .where('lease', '=', lease)
          .returning('id')
          .execute();
        return held.length > 0;
      },
      finish: events =>
        durable.transaction().execute(async trx => {
          const now = clock();
          await keepDataset(trx, dataset);
          const held = await trx
            .updateTable('watches')
            .set({
              dataset_sha256: dataset.sha256,
              dataset_order: orderOf(dataset.version),
              evaluated_on: today,
              last_seq: row.last_seq + events.length,
              lease: null,
              leased_until: 0,
            })
            .where('id', '=', row.id)
            .where('lease', '=', lease)
            .returning('webhook_url')
            .executeTakeFirst();
          if (!held) return false;
          const rows = events.map(
            (body, index): WatchEventRow => ({
              watch_id: row.id,
              seq: row.last_seq + index + 1,
              created_at: now,
              body,
            }),
          );
          for (const part of inParts(rows, ROWS_PER_INSERT))
            await trx.insertInto('watch_events').values(part).execute();
          if (held.webhook_url !== null) await deliveries.enqueue(trx, row, rows);
          await deliveries.deleteBefore(trx, row.id, now - KEEP_EVENTS_MS);
          await trx
            .deleteFrom('watch_events')
            .where('watch_id', '=', row.id)
            .where('created_at', '<', now - KEEP_EVENTS_MS)
            .execute();
          return true;
        }),
    };
  }

  return {
    queue: deliveries.queue,

    create: ({ family, name, codes, dataset, evaluatedOn, webhook }) =>
      durable.transaction().execute(async trx => {
        await lockFamily(trx, family);
        await keepDataset(trx, dataset);
        const { count } = await trx
          .selectFrom('watches')
          .select(eb => eb.fn.countAll<number>().as('count'))
          .where('family', '=', family)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_WATCHES) {
          throw new StoreError(
            'watch_limit',
            `The key family already has ${MAX_WATCHES} watches. Delete a watch first.`,
          );
        }
        const row: WatchRow = {
          id: newId('wat'),
          family,
          name,
          code_count: codes.length,
          created_at: clock(),
          dataset_sha256: dataset.sha256,
          dataset_order: orderOf(dataset.version),
          evaluated_on: evaluatedOn,
          last_seq: 0,
          lease: null,
          leased_until: 0,
          webhook_url: webhook?.url ?? null,
          webhook_secrets: webhook?.secrets ?? null,
        };
        await trx.insertInto('watches').values(row).execute();
        for (const [part, some] of inParts(codes, CODES_PER_PART).entries()) {
          await trx
            .insertInto('watch_codes')
            .values({ watch_id: row.id, part, body: JSON.stringify(some) })
            .execute();
        }
        return toWatch(row);
      }),

    async list(family) {
      const query = durable.selectFrom('watches').selectAll().where('family', '=', family).orderBy('id', 'desc');
      return (await query.execute()).map(toWatch);
    },

    get: async (family, id) => toWatch(await find(durable, family, id)),

    delete: (family, id) =>
      durable.transaction().execute(async trx => {
        await find(trx, family, id);
        // Delete the watch first, so that an evaluation in progress can't store any more events.
        await trx.deleteFrom('watches').where('id', '=', id).execute();
        await trx.deleteFrom('watch_codes').where('watch_id', '=', id).execute();
        await trx.deleteFrom('watch_events').where('watch_id', '=', id).execute();
        await deliveries.deleteBefore(trx, id, Number.MAX_SAFE_INTEGER);
      }),

    async setSecrets(family, id, secrets) {
      await find(durable, family, id);
      await durable.updateTable('watches').set({ webhook_secrets: secrets }).where('id', '=', id).execute();
      return toWatch(await find(durable, family, id));
    },

    async events(family, id, { after, limit }) {
      await find(durable, family, id);
      const rows = await durable
        .selectFrom('watch_events')
        .selectAll()
        .where('watch_id', '=', id)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute();
      const states = await deliveries.statesOf(
        id,
        rows.map(({ seq }) => seq),
      );
      return rows.map(row => ({ ...toEvent(row), ...states(row.seq) }));
    },

    async redeliver(family, id, { after, onlyFailed }) {
      const watch = await find(durable, family, id);
      if (watch.webhook_url === null) return 0;
      return await deliveries.redrive(watch, { after, states: onlyFailed ? ['failed'] : ['failed', 'done'] });
    },

    async claimEvaluation(dataset, today, leaseMs) {
      const order = orderOf(dataset.version);
      const dueAt = (now: number) =>
        durable
          .selectFrom('watches')
          .select('watches.id')
          .where('leased_until', '<=', now)
          .where(eb =>
            eb.or([
              eb('dataset_order', '<', order),
              eb.and([eb('dataset_order', '=', order), eb('evaluated_on', '<', today)]),
            ]),
          )
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('keys')
                .select('keys.id')
                .whereRef('keys.family', '=', 'watches.family')
                .where('revoked_at', 'is', null)
                .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
            ),
          );
      for (;;) {
        const now = clock();
        const lease = randomBytes(16).toString('hex');
        const next = await dueAt(now).orderBy('watches.id').limit(1).executeTakeFirst();
        if (!next) return null;
        // Several processes can find the same watch, but only one of them can set its lease.
        const row = await durable
          .updateTable('watches')
          .set({ lease, leased_until: now + leaseMs })
          .where('id', '=', next.id)
          .where('leased_until', '<=', now)
          .where('id', 'in', dueAt(now))
          .returningAll()
          .executeTakeFirst();
        if (row) return createDueWatch(row, lease, dataset, today, leaseMs);
      }
    },

    async claimDelivery(worker, leaseMs, options) {
      for (;;) {
        const due = await deliveries.claim(worker, leaseMs, options);
        if (!due) return null;
        const { watchId, seq, job } = due;
        const watch = await durable.selectFrom('watches').selectAll().where('id', '=', watchId).executeTakeFirst();
        const events = durable.selectFrom('watch_events').selectAll().where('watch_id', '=', watchId);
        const event = await events.where('seq', '=', seq).executeTakeFirst();
        if (watch && event) return { ...job, watch: toWatch(watch), event: toEvent(event) };
        // The watch or the event was deleted after the claim.
        await job.fail('event_deleted', { retryAt: null }).catch(() => undefined);
      }
    },
  };
}

/**
 * Converts a calendar version to a form that sorts correctly as text.
 *
 * @example orderOf('2026.11.2') < orderOf('2026.11.10') // true
 */
function orderOf(version: string): string {
  return version
    .split('.')
    .map(part => part.padStart(6, '0'))
    .join('.');
}

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}

function toWatch(row: WatchRow): Watch {
  return {
    id: row.id,
    family: row.family,
    name: row.name,
    codeCount: row.code_count,
    createdAt: row.created_at,
    datasetSha256: row.dataset_sha256,
    evaluatedOn: row.evaluated_on,
    lastSeq: row.last_seq,
    webhookUrl: row.webhook_url,
    webhookSecrets: row.webhook_secrets,
  };
}

function toEvent({ seq, created_at, body }: WatchEventRow): WatchEvent {
  return { seq, createdAt: created_at, body };
}
