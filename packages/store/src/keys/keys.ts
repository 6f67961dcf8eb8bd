import type { AppendAudit, AuditState } from '../audit/audit.ts';
import { compileOnce, shareUntilSent } from '../database/compile-once.ts';
import type { NewId } from '../database/ids.ts';
import type { Database, KeyRow } from '../database/schema.ts';
import { StoreError, unknownKey } from '../errors.ts';
import type { KeyScope } from '../key-scope.ts';
import { isWellFormedKey, keySha256, newKeyText, storedKeyParts } from './key-text.ts';

/**
 * Status of a key. A key with the status `expiring` has a successor and works until `expiresAt`. Keys with the status
 * `expired` or `revoked` no longer work.
 */
export type KeyStatus = 'active' | 'expiring' | 'expired' | 'revoked';

/** How long a rotated key keeps working after its successor is issued. */
export type RotationOverlap = 'now' | '1h' | '24h' | '7d';

/** Record of a key, without the key itself. Times are in milliseconds since the Unix epoch. */
export interface KeyRecord {
  readonly id: string;
  /** Family ID shared by a key and all its successors. Rate limits apply per family. */
  readonly family: string;
  /**
   * Operations that the key permits. The key's text contains the original scope, which isn't used for authorization.
   */
  readonly scope: KeyScope;
  /** Free-text note, `''` by default. */
  readonly note: string;
  /** Start of the key, including its first 6 random characters. */
  readonly prefix: string;
  readonly last4: string;
  readonly status: KeyStatus;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** A new key's full text and its record. The text is returned only once, after the record is durably stored. */
export interface IssuedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

/** Actor and request ID of a key change, as recorded in the audit log. */
export interface KeyChange {
  readonly actor: string;
  readonly requestId?: string | undefined;
}

/**
 * API keys. The store keeps only a key's SHA-256 hash and a few characters that help people recognize the key. The
 * audit log records every change.
 */
export interface Keys {
  /**
   * Issues a key in a new family.
   *
   * @example
   * const { key, record } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'operator' });
   */
  issue(request: KeyChange & { readonly scope: KeyScope; readonly note?: string | undefined }): Promise<IssuedKey>;
  /**
   * Returns the record of a valid key. Returns null if the key is malformed, unknown, expired, or revoked. Rejects a
   * malformed key without querying the database.
   *
   * @example
   * const record = await store.keys.authenticate(bearer);
   */
  authenticate(presented: string): Promise<KeyRecord | null>;
  /**
   * Issues a successor with the same family, scope, and note, and lets the old key expire after the overlap.
   *
   * @throws StoreError with `key_unknown`, `key_ended`, or `key_rotated`
   * @example
   * const { key } = await store.keys.rotate(record.id, { overlap: '24h', actor: 'operator' });
   */
  rotate(id: string, request: KeyChange & { readonly overlap: RotationOverlap }): Promise<IssuedKey>;
  /**
   * Revokes a key immediately. Revoking a key again has no effect.
   *
   * @throws StoreError with `key_unknown`
   */
  revoke(id: string, request: KeyChange): Promise<KeyRecord>;
  /**
   * Changes the scope or note of this key, but not of other keys in its family.
   *
   * @throws StoreError with `key_unknown`
   */
  update(
    id: string,
    request: KeyChange & { readonly scope?: KeyScope | undefined; readonly note?: string | undefined },
  ): Promise<KeyRecord>;
  /** Lists keys, newest first. Includes expired and revoked keys only if `includeEnded` is set. */
  list(query?: { readonly includeEnded?: boolean | undefined }): Promise<KeyRecord[]>;
}

const OVERLAP_MS: Record<RotationOverlap, number> = { now: 0, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 };

/**
 * Issues a key in the caller's transaction, so that the key and the caller's change are stored together or not at all.
 */
export type IssueKey = (trx: Database, request: Parameters<Keys['issue']>[0]) => Promise<IssuedKey>;

export function createKeys(
  durable: Database,
  bestEffort: Database,
  clock: () => number,
  newId: NewId,
  appendAudit: AppendAudit,
): Keys & { readonly issueWithin: IssueKey } {
  const selectBySha256 = compileOnce(bestEffort, ({ sha256 }: Pick<KeyRow, 'sha256'>) =>
    selectKeys(bestEffort).where('keys.sha256', '=', sha256),
  );
  const searches = new Map<string, ReturnType<typeof selectBySha256>>();
  const findBySha256 = (sha256: string) =>
    shareUntilSent(searches, sha256, onSent =>
      selectBySha256(() => {
        onSent();
        return { sha256 };
      }),
    );

  async function insertKey(trx: Database, grant: Pick<KeyRow, 'family' | 'scope' | 'note'>): Promise<IssuedKey> {
    const key = newKeyText(grant.scope);
    const id = newId('key');
    await trx
      .insertInto('keys')
      .values({ id, ...grant, ...storedKeyParts(key), created_at: clock(), expires_at: null, revoked_at: null })
      .execute();
    return { key, record: await findKey(trx, id) };
  }

  async function findKey(db: Database, id: string): Promise<KeyRecord> {
    const row = await selectKeys(db).where('keys.id', '=', id).executeTakeFirst();
    if (!row) throw unknownKey(id);
    return toRecord(row, clock());
  }

  /**
   * Locks and reads a key before an update. Locks the row with an update that doesn't change it, which is the only kind
   * of row lock that both engines support.
   */
  async function lockKey(trx: Database, id: string): Promise<KeyRecord> {
    await trx
      .updateTable('keys')
      .set(eb => ({ note: eb.ref('note') }))
      .where('id', '=', id)
      .execute();
    return await findKey(trx, id);
  }

  async function changeKey(trx: Database, id: string, change: Partial<KeyRow>): Promise<KeyRecord> {
    await trx.updateTable('keys').set(change).where('id', '=', id).execute();
    return await findKey(trx, id);
  }

  const issueWithin: IssueKey = async (trx, { scope, note = '', actor, requestId }) => {
    const issued = await insertKey(trx, { family: newId('fam'), scope, note });
    const { id } = issued.record;
    const after = auditState(issued.record);
    await appendAudit(trx, { actor, requestId, action: 'key.issue', subject: id, before: null, after });
    return issued;
  };

  return {
    issueWithin,
    issue: async request => await durable.transaction().execute(trx => issueWithin(trx, request)),

    async authenticate(presented) {
      if (!isWellFormedKey(presented)) return null;
      const [row] = await findBySha256(keySha256(presented));
      const record = row && toRecord(row, clock());
      return record && isUsable(record) ? record : null;
    },

    async rotate(id, { overlap, actor, requestId }) {
      return await durable.transaction().execute(async trx => {
        const old = await lockKey(trx, id);
        if (!isUsable(old)) {
          throw new StoreError(
            'key_ended',
            `Key ${id} is ${old.status} and can't be rotated. Issue a new key instead.`,
          );
        }
        if (old.status === 'expiring') {
          throw new StoreError(
            'key_rotated',
            `Key ${id} was already rotated and expires automatically. Rotate its successor instead, or revoke this key to disable it immediately.`,
          );
        }
        const { family, scope, note } = old;
        const successor = await insertKey(trx, { family, scope, note });
        const ending = await changeKey(trx, id, { expires_at: clock() + OVERLAP_MS[overlap] });
        const before = auditState(old);
        const after = { ...auditState(ending), successor: successor.record.id };
        await appendAudit(trx, { actor, requestId, action: 'key.rotate', subject: id, before, after });
        return successor;
      });
    },

    async revoke(id, { actor, requestId }) {
      return await durable.transaction().execute(async trx => {
        const before = await lockKey(trx, id);
        if (before.revokedAt !== null) return before;
        const after = await changeKey(trx, id, { revoked_at: clock() });
        await appendAudit(trx, {
          actor,
          requestId,
          action: 'key.revoke',
          subject: id,
          before: auditState(before),
          after: auditState(after),
        });
        return after;
      });
    },

    async update(id, { scope, note, actor, requestId }) {
      return await durable.transaction().execute(async trx => {
        const before = await lockKey(trx, id);
        const after = await changeKey(trx, id, { scope: scope ?? before.scope, note: note ?? before.note });
        await appendAudit(trx, {
          actor,
          requestId,
          action: 'key.update',
          subject: id,
          before: auditState(before),
          after: auditState(after),
        });
        return after;
      });
    },

    async list({ includeEnded = false } = {}) {
      const now = clock();
      const rows = await selectKeys(durable).orderBy('keys.id', 'desc').execute();
      return rows.map(row => toRecord(row, now)).filter(record => includeEnded || isUsable(record));
    },
  };
}

/**
 * Selects keys with the time of their last use. The query is fast, because the index returns the newest day first and a
 * key has few rows per day.
 */
function selectKeys(db: Database) {
  return db
    .selectFrom('keys')
    .selectAll('keys')
    .select(eb =>
      eb
        .selectFrom('usage_daily')
        .select('usage_daily.last_at')
        .whereRef('usage_daily.key_id', '=', 'keys.id')
        .orderBy('usage_daily.day', 'desc')
        .orderBy('usage_daily.last_at', 'desc')
        .limit(1)
        .as('last_used_at'),
    );
}

function toRecord(row: KeyRow & { last_used_at: number | null }, now: number): KeyRecord {
  return {
    id: row.id,
    family: row.family,
    scope: row.scope,
    note: row.note,
    prefix: row.prefix,
    last4: row.last4,
    status: statusOf(row, now),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

function statusOf({ expires_at, revoked_at }: KeyRow, now: number): KeyStatus {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  return expires_at > now ? 'expiring' : 'expired';
}

function isUsable({ status }: KeyRecord): boolean {
  return status === 'active' || status === 'expiring';
}

/** Returns a key's state for the audit log: the fields that identify it and the fields that operators can change. */
function auditState({ family, scope, note, prefix, last4, expiresAt, revokedAt }: KeyRecord): AuditState {
  return { family, scope, note, prefix, last4, expiresAt, revokedAt };
}
