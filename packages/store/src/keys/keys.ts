import { compileOnce } from '../database/compiled.ts';
import type { NewId } from '../database/ids.ts';
import type { Database, KeyRow } from '../database/schema.ts';
import { StoreError, unknownKey } from '../errors.ts';
import type { AppendAudit, AuditState } from '../operator/audit.ts';
import { isWellFormedKey, type KeyScope, keyTraces, newKeyText } from './key-text.ts';

/** `expiring`: has a successor and still works until `expiresAt`. `expired` and `revoked` keys no longer work. */
export type KeyStatus = 'active' | 'expiring' | 'expired' | 'revoked';

/** How long a rotated key keeps working beside its successor. */
export type RotationOverlap = 'now' | '1h' | '24h' | '7d';

/** What is known of a key. Times are ms since epoch. Never holds the key itself. */
export interface KeyRecord {
  readonly id: string;
  /** Shared by a key and all its successors; limits count by it. */
  readonly family: string;
  /** What the key may call. Decides alone: the scope in the key's text is the one it was issued with. */
  readonly scope: KeyScope;
  /** Free text, `''` when none was given. */
  readonly note: string;
  /** The key through the first 6 random characters. */
  readonly prefix: string;
  readonly last4: string;
  readonly status: KeyStatus;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** The only time a key's text is seen: after its record is durably stored. */
export interface IssuedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

/** Who asks for a change of keys; both go to the audit log. */
export interface KeyChange {
  readonly actor: string;
  readonly requestId?: string | undefined;
}

/** API keys. Only a SHA-256 and a few recognisable characters are stored. Each change appends to the audit log. */
export interface Keys {
  /**
   * Makes a key in a family of its own.
   *
   * @example
   * const { key, record } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'operator' });
   */
  issue(request: KeyChange & { readonly scope: KeyScope; readonly note?: string | undefined }): Promise<IssuedKey>;
  /**
   * The record of a key that works now, or null: malformed (not looked up at all), unknown, expired or revoked.
   *
   * @example
   * const record = await store.keys.authenticate(bearer);
   */
  authenticate(presented: string): Promise<KeyRecord | null>;
  /**
   * Issues a successor with the same family, scope and note, and lets the old key expire after the overlap.
   *
   * @throws StoreError `key_unknown`, `key_ended`, `key_rotated`
   * @example
   * const { key } = await store.keys.rotate(record.id, { overlap: '24h', actor: 'operator' });
   */
  rotate(id: string, request: KeyChange & { readonly overlap: RotationOverlap }): Promise<IssuedKey>;
  /**
   * Ends a key at once. Revoking it again changes nothing.
   *
   * @throws StoreError `key_unknown`
   */
  revoke(id: string, request: KeyChange): Promise<KeyRecord>;
  /**
   * Changes the scope or the note of this key; of its family's other keys nothing.
   *
   * @throws StoreError `key_unknown`
   */
  update(
    id: string,
    request: KeyChange & { readonly scope?: KeyScope | undefined; readonly note?: string | undefined },
  ): Promise<KeyRecord>;
  /** Newest first. Expired and revoked keys only with `includeEnded`. */
  list(query?: { readonly includeEnded?: boolean | undefined }): Promise<KeyRecord[]>;
}

const OVERLAP_MS: Record<RotationOverlap, number> = { now: 0, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 };

/** Issues within the caller's transaction: a key and what it is issued for are stored together or not at all. */
export type IssueKey = (trx: Database, request: Parameters<Keys['issue']>[0]) => Promise<IssuedKey>;

export function createKeys(
  ledger: Database,
  counters: Database,
  clock: () => number,
  newId: NewId,
  appendAudit: AppendAudit,
): Keys & { readonly issueWithin: IssueKey } {
  const findBySha256 = compileOnce(counters, ({ sha256 }: Pick<KeyRow, 'sha256'>) =>
    selectKeys(counters).where('keys.sha256', '=', sha256),
  );

  async function insertKey(trx: Database, grant: Pick<KeyRow, 'family' | 'scope' | 'note'>): Promise<IssuedKey> {
    const key = newKeyText(grant.scope);
    const id = newId('key');
    await trx
      .insertInto('keys')
      .values({ id, ...grant, ...keyTraces(key), created_at: clock(), expires_at: null, revoked_at: null })
      .execute();
    return { key, record: await findKey(trx, id) };
  }

  async function findKey(db: Database, id: string): Promise<KeyRecord> {
    const row = await selectKeys(db).where('keys.id', '=', id).executeTakeFirst();
    if (!row) throw unknownKey(id);
    return toRecord(row, clock());
  }

  /** Reads a key for change. Writing it unchanged first is the row lock that both engines know. */
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
    issue: async request => await ledger.transaction().execute(trx => issueWithin(trx, request)),

    async authenticate(presented) {
      if (!isWellFormedKey(presented)) return null;
      const [row] = await findBySha256(keyTraces(presented));
      const record = row && toRecord(row, clock());
      return record && works(record) ? record : null;
    },

    async rotate(id, { overlap, actor, requestId }) {
      return await ledger.transaction().execute(async trx => {
        const old = await lockKey(trx, id);
        if (!works(old)) {
          throw new StoreError(
            'key_ended',
            `Key ${id} is ${old.status} and cannot be rotated. Issue a new key instead.`,
          );
        }
        if (old.status === 'expiring') {
          throw new StoreError(
            'key_rotated',
            `Key ${id} was rotated already and expires by itself. Rotate its successor, or revoke it to end it now.`,
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
      return await ledger.transaction().execute(async trx => {
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
      return await ledger.transaction().execute(async trx => {
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
      const rows = await selectKeys(ledger).orderBy('keys.id', 'desc').execute();
      return rows.map(row => toRecord(row, now)).filter(record => includeEnded || works(record));
    },
  };
}

/** Keys with the moment of their last use: the newest day comes first from the index, and holds few rows. */
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

function works({ status }: KeyRecord): boolean {
  return status === 'active' || status === 'expiring';
}

/** What an operator's change can alter, and what names the key to a reader of the log. */
function auditState({ family, scope, note, prefix, last4, expiresAt, revokedAt }: KeyRecord): AuditState {
  return { family, scope, note, prefix, last4, expiresAt, revokedAt };
}
