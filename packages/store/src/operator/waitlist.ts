import type { AppendAudit, AuditState } from '../audit/audit.ts';
import type { NewId } from '../database/ids.ts';
import type { Database, WaitlistRow } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import type { KeyScope } from '../key-scope.ts';
import type { IssuedKey, IssueKey, KeyChange } from '../keys/keys.ts';

/** Form data for an API key request. All fields are free text and are stored unchanged. */
export interface WaitlistForm {
  readonly company: string;
  readonly useCase: string;
  readonly expectedVolume: string;
  readonly email: string;
}

/** Status of a request: `waiting` for a pending request, `approved` once its key is issued, or `declined`. */
export type WaitlistStatus = WaitlistRow['status'];

/** Stored API key request. Times are in milliseconds since the Unix epoch. */
export interface WaitlistRequest extends WaitlistForm {
  readonly id: string;
  readonly status: WaitlistStatus;
  /**
   * Whether the requester is a founding customer. On approval, founding customers automatically get delegate access.
   * Only operators can set this field; it isn't part of the form.
   */
  readonly founding: boolean;
  readonly askedAt: number;
  readonly decidedAt: number | null;
  /** ID of the key that was issued on approval. */
  readonly keyId: string | null;
  /** Total number of requests with this email address, ignoring case. */
  readonly sameEmail: number;
}

/**
 * API key requests for the closed beta, and the operators' decisions. Decisions are final and are recorded in the audit
 * log.
 */
export interface Waitlist {
  /**
   * Stores a request. An email address that is already on the list is accepted like any other, so callers can't
   * determine whether an address is on the list.
   *
   * @example
   * await store.waitlist.ask({ company: 'Acme', useCase: 'Check a catalog', expectedVolume: '2,000 a month', email });
   */
  ask(form: WaitlistForm): Promise<void>;
  /**
   * Returns one request.
   *
   * @throws StoreError with `request_unknown`
   */
  find(id: string): Promise<WaitlistRequest>;
  /**
   * Lists at most `limit` requests with the given status. Pending requests from founding customers are listed before
   * other pending requests, and both groups are sorted oldest first. Approved and declined requests are sorted newest
   * first.
   */
  list(query: { readonly status: WaitlistStatus; readonly limit: number }): Promise<WaitlistRequest[]>;
  /** Returns the number of requests with each status. */
  counts(): Promise<Record<WaitlistStatus, number>>;
  /**
   * Sets whether a pending request is from a founding customer.
   *
   * @throws StoreError with `request_unknown` or `request_decided`
   */
  setFounding(id: string, change: KeyChange & { readonly founding: boolean }): Promise<WaitlistRequest>;
  /**
   * Approves a request and issues its key in one transaction. The key's note contains the company name, and
   * `delegate:on` for founding customers or if `delegate` is set.
   *
   * @throws StoreError with `request_unknown` or `request_decided`
   * @example
   * const { key } = await store.waitlist.approve(id, { scope: 'tariff', actor: 'operator' });
   */
  approve(
    id: string,
    decision: KeyChange & { readonly scope: KeyScope; readonly delegate?: boolean | undefined },
  ): Promise<IssuedKey>;
  /**
   * Declines a request.
   *
   * @throws StoreError with `request_unknown` or `request_decided`
   */
  decline(id: string, decision: KeyChange): Promise<WaitlistRequest>;
}

export function createWaitlist(
  durable: Database,
  clock: () => number,
  newId: NewId,
  appendAudit: AppendAudit,
  issueKey: IssueKey,
): Waitlist {
  async function find(db: Database, id: string): Promise<WaitlistRequest> {
    const row = await selectRequests(db).where('waitlist.id', '=', id).executeTakeFirst();
    if (!row) {
      throw new StoreError(
        'request_unknown',
        `No request has the ID ${JSON.stringify(id)}. To find the ID, list all requests, including those already approved or declined.`,
      );
    }
    return toRequest(row);
  }

  /**
   * Reads and locks a pending request before it's changed. Locks the row with an update that doesn't change it, which
   * is the only kind of row lock that both engines support.
   */
  async function lockWaiting(trx: Database, id: string): Promise<WaitlistRequest> {
    await trx
      .updateTable('waitlist')
      .set(eb => ({ status: eb.ref('status') }))
      .where('id', '=', id)
      .execute();
    const request = await find(trx, id);
    if (request.status !== 'waiting') {
      throw new StoreError(
        'request_decided',
        `Request ${id} was already ${request.status}. This decision can’t be changed. Issue or revoke a key instead.`,
      );
    }
    return request;
  }

  async function change(
    trx: Database,
    before: WaitlistRequest,
    values: Partial<WaitlistRow>,
    { actor, requestId, action }: KeyChange & { readonly action: string },
  ): Promise<WaitlistRequest> {
    await trx.updateTable('waitlist').set(values).where('id', '=', before.id).execute();
    const after = await find(trx, before.id);
    await appendAudit(trx, {
      actor,
      requestId,
      action,
      subject: before.id,
      before: auditState(before),
      after: auditState(after),
    });
    return after;
  }

  return {
    async ask({ company, useCase, expectedVolume, email }) {
      await durable
        .insertInto('waitlist')
        .values({
          id: newId('req'),
          status: 'waiting',
          company,
          use_case: useCase,
          expected_volume: expectedVolume,
          email,
          founding: 0,
          asked_at: clock(),
          decided_at: null,
          key_id: null,
        })
        .execute();
    },

    find: id => find(durable, id),

    async list({ status, limit }) {
      const waiting = status === 'waiting';
      const rows = await selectRequests(durable)
        .where('waitlist.status', '=', status)
        .$if(waiting, query => query.orderBy('waitlist.founding', 'desc').orderBy('waitlist.id'))
        .$if(!waiting, query => query.orderBy('waitlist.decided_at', 'desc').orderBy('waitlist.id', 'desc'))
        .limit(limit)
        .execute();
      return rows.map(toRequest);
    },

    async counts() {
      const rows = await durable
        .selectFrom('waitlist')
        .select(eb => ['status', eb.fn.countAll<number>().as('count')])
        .groupBy('status')
        .execute();
      return { waiting: 0, approved: 0, declined: 0, ...Object.fromEntries(rows.map(row => [row.status, row.count])) };
    },

    async setFounding(id, { founding, ...who }) {
      return await durable.transaction().execute(async trx => {
        const before = await lockWaiting(trx, id);
        if (before.founding === founding) return before;
        return await change(trx, before, { founding: founding ? 1 : 0 }, { ...who, action: 'waitlist.founding' });
      });
    },

    async approve(id, { scope, delegate = false, ...who }) {
      return await durable.transaction().execute(async trx => {
        const before = await lockWaiting(trx, id);
        const note = keyNote(before, delegate || before.founding);
        const issued = await issueKey(trx, { scope, note, ...who });
        const values = { status: 'approved', decided_at: clock(), key_id: issued.record.id } as const;
        await change(trx, before, values, { ...who, action: 'waitlist.approve' });
        return issued;
      });
    },

    async decline(id, who) {
      return await durable.transaction().execute(async trx => {
        const before = await lockWaiting(trx, id);
        const values = { status: 'declined', decided_at: clock() } as const;
        return await change(trx, before, values, { ...who, action: 'waitlist.decline' });
      });
    },
  };
}

function selectRequests(db: Database) {
  return db
    .selectFrom('waitlist')
    .selectAll('waitlist')
    .select(eb =>
      eb
        .selectFrom('waitlist as other')
        .select(other => other.fn.countAll<number>().as('count'))
        .where(other => other(other.fn('lower', ['other.email']), '=', other.fn('lower', ['waitlist.email'])))
        .as('same_email'),
    );
}

function toRequest(row: WaitlistRow & { same_email: number | null }): WaitlistRequest {
  return {
    id: row.id,
    status: row.status,
    company: row.company,
    useCase: row.use_case,
    expectedVolume: row.expected_volume,
    email: row.email,
    founding: row.founding === 1,
    askedAt: row.asked_at,
    decidedAt: row.decided_at,
    keyId: row.key_id,
    sameEmail: row.same_email ?? 1,
  };
}

/**
 * Returns the note for a new key. The flag `delegate:on` in a note grants delegate access, so colons in the untrusted
 * company name are replaced with spaces.
 */
function keyNote({ company }: WaitlistRequest, delegate: boolean): string {
  const name = company.replaceAll(':', ' ');
  return delegate ? `${name}; delegate:on` : name;
}

/**
 * Returns a request's state for the audit log: the fields that identify it and the fields that a decision can change.
 * Omits the email address, because the audit log is kept forever.
 */
function auditState({ company, status, founding, keyId }: WaitlistRequest): AuditState {
  return { company, status, founding, keyId };
}
