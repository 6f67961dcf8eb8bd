import type { NewId } from '../database/ids.ts';
import type { AuditTableRow, Database } from '../database/schema.ts';

/** State of a subject before or after a change, as JSON without secrets, or null if the subject didn't exist. */
export type AuditState = Readonly<Record<string, unknown>> | null;

/** A change to record: the actor, the action, and the subject. `action` is a name such as `key.issue`. */
export interface AuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: AuditState;
  readonly after: AuditState;
  readonly requestId?: string | undefined;
}

/** A recorded audit entry. IDs sort by time; `at` is in milliseconds since the Unix epoch. */
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

/** Append-only log. Entries can't be changed or deleted. */
export interface AuditLog {
  /**
   * Appends one entry durably. Don't call this function for key changes: `keys` stores each change and its audit entry
   * in one transaction.
   *
   * @example
   * await store.audit.append({ actor: 'operator', action: 'operator.sign_in', subject: 'operator', before: null, after: null });
   */
  append(entry: AuditEntry): Promise<AuditRow>;
  /**
   * Lists at most `limit` entries, newest first. To get the next page, pass the last ID of the current page as
   * `before`.
   *
   * @example
   * const page = await store.audit.list({ limit: 50 });
   * const next = await store.audit.list({ limit: 50, before: page.at(-1)?.id });
   */
  list(query: { readonly limit: number; readonly before?: string | undefined }): Promise<AuditRow[]>;
}

/** Appends an entry in the caller's transaction, so that a change and its entry are stored together or not at all. */
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

export function createAuditLog(durable: Database, append: AppendAudit): AuditLog {
  return {
    append: entry => append(durable, entry),

    async list({ limit, before }) {
      const rows = await durable
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
