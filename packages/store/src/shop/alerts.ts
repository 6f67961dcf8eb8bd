import { sql } from 'kysely';
import { chunks } from '../database/chunks.ts';
import { toJsonText } from '../database/json.ts';
import { enqueueWithin, type NewJob } from './jobs.ts';
import type { AlertRow } from './schema.ts';
import type { ShopScope } from './scope.ts';

/** An event to report to the merchant. */
export interface NewAlert {
  /** Key of the event. A shop never gets a second alert with the same key. */
  readonly key: string;
  /** Kind of event, defined by the caller. */
  readonly kind: string;
  /** Content for the message (any JSON value). The content is deleted once the alert is sent or discarded. */
  readonly detail: unknown;
}

/** Alert as stored. */
export interface Alert extends NewAlert {
  /** Time when the alert was recorded, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** A message and the alerts that it contains. */
export interface AlertMessage {
  /** Message ID. If a process dies while sending, the next attempt has the same ID and the same alerts. */
  readonly id: string;
  /** Alerts, oldest first. */
  readonly alerts: readonly Alert[];
}

/** Alerts for one shop's merchant, sent through one channel. Each channel has its own table. */
export interface ShopAlerts {
  /**
   * Records alerts for events that don't have an alert yet. If any alert is new, enqueues the job that sends it, in the
   * same transaction. Any number of processes can report the same event. Returns the number of new alerts.
   *
   * @throws StoreError with `shop_unknown`, or with `lease_lost` if called through a job whose lease was lost
   * @example
   * await shop.alerts.record([{ key: `tariff:${version}`, kind: 'tariff', detail }], { kind: 'alert_email' });
   */
  record(alerts: readonly NewAlert[], job: NewJob): Promise<number>;
  /**
   * Returns the next message to send, which contains at most `limit` alerts. Returns null if no alerts are waiting.
   * Until `end` is called, returns the same message again.
   *
   * @throws StoreError with `lease_lost` if called through a job whose lease was lost
   */
  nextMessage(limit: number): Promise<AlertMessage | null>;
  /**
   * Records that a message was sent, or that none of the waiting alerts will be sent. Keeps the alerts' keys and
   * deletes their content. Returns the number of affected alerts.
   *
   * @throws StoreError with `lease_lost` if called through a job whose lease was lost
   */
  end(which: { readonly message: string } | 'all'): Promise<number>;
}

/** @param name name of the channel's table; all channels' tables have the same columns */
export function createShopAlerts(scope: ShopScope, name: 'shop_alerts' | 'shop_flow_triggers'): ShopAlerts {
  const { clock, newId, shop, write, writeAnyway } = scope;
  const table = name as 'shop_alerts';

  return {
    record: (alerts, job) =>
      write(async (trx, { uninstalled_at }) => {
        if (uninstalled_at !== null) return 0;
        let recorded = 0;
        const rows = alerts.map(({ key, kind, detail }) => ({
          ...{ shop, key, kind, at: clock(), message: null, ended_at: null, detail: toJsonText(detail) },
        }));
        for (const part of chunks(rows)) {
          const { numInsertedOrUpdatedRows } = await trx
            .insertInto(table)
            .values(part)
            .onConflict(conflict => conflict.columns(['shop', 'key']).doNothing())
            .executeTakeFirstOrThrow();
          recorded += Number(numInsertedOrUpdatedRows ?? 0);
        }
        if (recorded > 0) await enqueueWithin(scope, trx, shop, job);
        return recorded;
      }),

    nextMessage: limit =>
      writeAnyway(async trx => {
        const waiting = () => trx.selectFrom(table).where('shop', '=', shop).where('ended_at', 'is', null);
        const started = await waiting()
          .select('message')
          .where('message', 'is not', null)
          .orderBy('message')
          .limit(1)
          .executeTakeFirst();
        const id = started?.message ?? newId('msg');
        if (!started) {
          const next = waiting().select('key').where('message', 'is', null).orderBy('at').orderBy('key').limit(limit);
          await trx.updateTable(table).set({ message: id }).where('shop', '=', shop).where('key', 'in', next).execute();
        }
        const rows = await waiting().selectAll().where('message', '=', id).orderBy('at').orderBy('key').execute();
        return rows.length === 0 ? null : { id, alerts: rows.map(toAlert) };
      }),

    end: which =>
      writeAnyway(async trx => {
        const ended = await trx
          .updateTable(table)
          .set({ ended_at: clock(), detail: sql.lit('null') })
          .where('shop', '=', shop)
          .where('ended_at', 'is', null)
          .$if(which !== 'all', some => some.where('message', '=', which === 'all' ? '' : which.message))
          .executeTakeFirst();
        return Number(ended.numUpdatedRows);
      }),
  };
}

const toAlert = ({ key, kind, at, detail }: AlertRow): Alert => ({ key, kind, at, detail: JSON.parse(detail) });
