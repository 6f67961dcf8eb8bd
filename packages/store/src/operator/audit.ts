import type { NewId } from '../database/ids.ts';
import type { AuditTableRow, Database } from '../database/schema.ts';

/** What a thing looked like before or after a change, as JSON; null where it did not exist. Must hold no secret. */
export type AuditState = Readonly<Record<string, unknown>> | null;

/** One change to be written down: who did what to which thing. `action` is a word such as `key.issue`. */
export interface AuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: AuditState;
  readonly after: AuditState;
  readonly requestId?: string | undefined;
}

/** A written entry. Ids sort by time; `at` is ms since epoch. */
export interface AuditRow {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: AuditState;
  readonly after: AuditState;
  readonly requestId: string | null;
}

/** The append-only record of changes: there is no way to alter or remove a row. */
export interface AuditLog {
  /**
   * Writes one entry durably. Changes of keys are written by `keys` itself, in the same transaction.
   *
   * @example
   * await store.audit.append({ actor: 'operator', action: 'operator.sign_in', subject: 'operator', before: null, after: null });
   */
  append(entry: AuditEntry): Promise<AuditRow>;
  /**
   * Newest first, at most `limit` rows. The next page is `before` the last id of this one.
   *
   * @example
   * const page = await store.audit.list({ limit: 50 });
   * const next = await store.audit.list({ limit: 50, before: page.at(-1)?.id });
   */
  list(query: { readonly limit: number; readonly before?: string | undefined }): Promise<AuditRow[]>;
}

/** Appends within the caller's transaction: a change and its entry are stored together or not at all. */
export type AppendAudit = (db: Database, entry: AuditEntry) => Promise<AuditRow>;

export function createAppendAudit(clock: () => number, newId: NewId): AppendAudit {
  return async (db, { actor, action, subject, before, after, requestId = null }) => {
    const row = await db
      .insertInto('audit')
      .values({
        id: newId('aud'),
        at: clock(),
        actor,
        action,
        subject,
        before: before && JSON.stringify(before),
        after: after && JSON.stringify(after),
        request_id: requestId,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toAuditRow(row);
  };
}

export function createAuditLog(ledger: Database, append: AppendAudit): AuditLog {
  return {
    append: entry => append(ledger, entry),

    async list({ limit, before }) {
      const rows = await ledger
        .selectFrom('audit')
        .selectAll()
        .$if(before !== undefined, query => query.where('id', '<', before ?? ''))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toAuditRow);
    },
  };
}

function toAuditRow({ before, after, request_id, ...row }: AuditTableRow): AuditRow {
  return { ...row, before: before && JSON.parse(before), after: after && JSON.parse(after), requestId: request_id };
}
