import type { NewId } from '../database/ids.ts';
import type { Database, WaitlistRow } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import type { KeyScope } from '../keys/key-text.ts';
import type { IssuedKey, IssueKey, KeyChange } from '../keys/keys.ts';
import type { AppendAudit, AuditState } from './audit.ts';

/** What someone who asks for a key tells of themselves. Free text, as it was written. */
export interface WaitlistForm {
  readonly company: string;
  readonly useCase: string;
  readonly expectedVolume: string;
  readonly email: string;
}

/** `waiting`: nobody has decided. `approved`: a key was issued. */
export type WaitlistStatus = WaitlistRow['status'];

/** A request for a key. Times are ms since epoch. */
export interface WaitlistRequest extends WaitlistForm {
  readonly id: string;
  readonly status: WaitlistStatus;
  /** A customer of the founding tier, who is eligible at once. Set by an operator, never by the form. */
  readonly founding: boolean;
  readonly askedAt: number;
  readonly decidedAt: number | null;
  /** The key that was issued on approval. */
  readonly keyId: string | null;
  /** How many requests came with this e-mail address in all, letter case aside. */
  readonly sameEmail: number;
}

/** Requests for keys of the closed beta, and what was decided on each. A decision is final and in the audit log. */
export interface Waitlist {
  /**
   * Stores a request. The same e-mail address may ask again: what is done does not depend on who is on the list.
   *
   * @example
   * await store.waitlist.ask({ company: 'Acme', useCase: 'Check a catalog', expectedVolume: '2,000 a month', email });
   */
  ask(form: WaitlistForm): Promise<void>;
  /** One request. @throws StoreError `request_unknown` */
  find(id: string): Promise<WaitlistRequest>;
  /**
   * At most `limit` requests of one status. Waiting ones come as they are to be decided: founding tier, then who waits
   * longest. Decided ones: newest first.
   */
  list(query: { readonly status: WaitlistStatus; readonly limit: number }): Promise<WaitlistRequest[]>;
  /** How many there are of each status. */
  counts(): Promise<Record<WaitlistStatus, number>>;
  /**
   * Says whether a waiting request comes from the founding tier.
   *
   * @throws StoreError `request_unknown`, `request_decided`
   */
  setFounding(id: string, change: KeyChange & { readonly founding: boolean }): Promise<WaitlistRequest>;
  /**
   * Approves a request and issues its key, both or neither. The key's note names the company, and holds `delegate:on` for
   * the founding tier and where `delegate` asks for it.
   *
   * @throws StoreError `request_unknown`, `request_decided`
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
   * @throws StoreError `request_unknown`, `request_decided`
   */
  decline(id: string, decision: KeyChange): Promise<WaitlistRequest>;
}

export function createWaitlist(
  ledger: Database,
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
        `No request has the id ${JSON.stringify(id)}. List the waitlist, decided requests included, to find its id.`,
      );
    }
    return toRequest(row);
  }

  /** Reads a waiting request for change. Writing it unchanged first is the row lock that both engines know. */
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
        `Request ${id} was ${request.status} already. A decision is final; issue or revoke a key instead.`,
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
      await ledger
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

    find: id => find(ledger, id),

    async list({ status, limit }) {
      const waiting = status === 'waiting';
      const rows = await selectRequests(ledger)
        .where('waitlist.status', '=', status)
        .$if(waiting, query => query.orderBy('waitlist.founding', 'desc').orderBy('waitlist.id'))
        .$if(!waiting, query => query.orderBy('waitlist.decided_at', 'desc').orderBy('waitlist.id', 'desc'))
        .limit(limit)
        .execute();
      return rows.map(toRequest);
    },

    async counts() {
      const rows = await ledger
        .selectFrom('waitlist')
        .select(eb => ['status', eb.fn.countAll<number>().as('count')])
        .groupBy('status')
        .execute();
      return { waiting: 0, approved: 0, declined: 0, ...Object.fromEntries(rows.map(row => [row.status, row.count])) };
    },

    async setFounding(id, { founding, ...who }) {
      return await ledger.transaction().execute(async trx => {
        const before = await lockWaiting(trx, id);
        if (before.founding === founding) return before;
        return await change(trx, before, { founding: founding ? 1 : 0 }, { ...who, action: 'waitlist.founding' });
      });
    },

    async approve(id, { scope, delegate = false, ...who }) {
      return await ledger.transaction().execute(async trx => {
        const before = await lockWaiting(trx, id);
        const note = noteFor(before, delegate || before.founding);
        const issued = await issueKey(trx, { scope, note, ...who });
        const values = { status: 'approved', decided_at: clock(), key_id: issued.record.id } as const;
        await change(trx, before, values, { ...who, action: 'waitlist.approve' });
        return issued;
      });
    },

    async decline(id, who) {
      return await ledger.transaction().execute(async trx => {
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

/** Words in a note open gates, and the company's name is a stranger's text: without colons it says nothing of the kind. */
function noteFor({ company }: WaitlistRequest, delegate: boolean): string {
  const name = company.replaceAll(':', ' ');
  return delegate ? `${name}; delegate:on` : name;
}

/** What a decision can alter, and what names the request to a reader of the log. The log is kept for good, so no e-mail. */
function auditState({ company, status, founding, keyId }: WaitlistRequest): AuditState {
  return { company, status, founding, keyId };
}
