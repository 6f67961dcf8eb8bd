import { randomUUID } from 'node:crypto';
import type { Blobs } from '../blobs/blobs.ts';
import type { CertificateRow, Database } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import type { AppendAudit, AuditEntry, AuditState } from '../operator/audit.ts';
import { conditionsOf, searchable } from './certificate-words.ts';

/** A certificate is `valid` until it is ended, once and for good: by voiding it, or by a successor. */
export type CertificateStatus = 'valid' | 'void' | 'superseded';

/** An issued certificate as it is kept. Times are ms since epoch. */
export interface Certificate {
  readonly id: string;
  /** The key family that it was issued for. */
  readonly family: string;
  /** SHA-256 of the PDF, 64 lower-case hex digits. */
  readonly sha256: string;
  /** Bytes of the PDF. */
  readonly size: number;
  /** The JSON text that the PDF was made from, as it was given. */
  readonly record: string;
  readonly status: CertificateStatus;
  readonly createdAt: number;
  readonly voidedAt: number | null;
  readonly voidReason: string | null;
  /** The id of the certificate that took its place. */
  readonly supersededBy: string | null;
  /** The id of the certificate whose place it took. */
  readonly supersedes: string | null;
}

/** Who asks for a change of certificates; both go to the audit log. */
export type CertificateChange = Pick<AuditEntry, 'actor' | 'requestId'>;

/** What is kept of a new certificate. All of it is final. */
export interface NewCertificate extends CertificateChange {
  /** 1 to 64 letters, digits, hyphens or underscores; a random UUID when left out. */
  readonly id?: string | undefined;
  /** JSON text. */
  readonly record: string;
  readonly pdf: Uint8Array;
  /** What people look for it by, such as the product's name, model and SKU. */
  readonly names?: readonly string[] | undefined;
}

/** One page of certificates, newest first. */
interface CertificatePage {
  readonly limit: number;
  /** The last id of the page before. */
  readonly before?: string | undefined;
}

/**
 * Issued certificates. Nothing edits or removes one: the database itself refuses it. When a promise of `issue` or
 * `supersede` resolves, row and PDF survive a power cut; when it rejects, or the process dies, there may be a PDF
 * without a row, never a row without a PDF. Each change appends to the audit log.
 */
export interface Certificates {
  /**
   * Keeps a new certificate: first the PDF, then its row.
   *
   * @throws StoreError `certificate_exists`, `certificate_invalid`, `blobs_unavailable`, `config_invalid`
   * @example
   * const { id, sha256 } = await store.certificates.issue({ family: key.family, record: JSON.stringify(record), pdf, actor: key.id });
   */
  issue(request: NewCertificate & { readonly family: string }): Promise<Certificate>;
  /**
   * The certificate with this id, or null.
   *
   * @example
   * const certificate = await store.certificates.get(id);
   */
  get(id: string): Promise<Certificate | null>;
  /**
   * The bytes of its PDF, checked against its SHA-256.
   *
   * @throws StoreError `certificate_unknown`, `blob_missing`, `blob_damaged`, `blobs_unavailable`, `config_invalid`
   * @example
   * return new Response(await store.certificates.pdf(id));
   */
  pdf(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Ends a valid certificate. Of several who end the same one at once, in whatever way, one succeeds.
   *
   * @throws StoreError `certificate_unknown`, `certificate_ended`, `certificate_invalid` for a reason without words
   * @example
   * await store.certificates.void(id, { reason: 'Wrong testing laboratory', actor: 'operator' });
   */
  void(id: string, request: CertificateChange & { readonly reason: string }): Promise<Certificate>;
  /**
   * Ends a valid certificate by issuing its successor, which stays in its family. Gives the successor.
   *
   * @throws StoreError as `issue`, and `certificate_unknown`, `certificate_ended`
   * @example
   * const successor = await store.certificates.supersede(id, { record: JSON.stringify(record), pdf, actor: key.id });
   */
  supersede(id: string, successor: NewCertificate): Promise<Certificate>;
  /**
   * Newest first, at most `limit`, of one family or of all. The next page is `before` the last id of this one.
   *
   * @throws StoreError `certificate_unknown` when no certificate has the id `before`
   * @example
   * const page = await store.certificates.list({ family, limit: 50 });
   * const next = await store.certificates.list({ family, limit: 50, before: page.at(-1)?.id });
   */
  list(query: CertificatePage & { readonly family?: string | undefined }): Promise<Certificate[]>;
  /**
   * The certificates that fit, newest first. Each word of `text` is part of one of their names, whatever its case, or
   * begins their id or their SHA-256 with at least six characters; issued from `from` until before `until` (ms since epoch).
   *
   * @throws StoreError `certificate_unknown` when no certificate has the id `before`
   * @example
   * await store.certificates.search({ text: 'helmet rb-200', from: Date.UTC(2026, 10, 1), limit: 50 });
   */
  search(
    query: CertificatePage & {
      readonly text?: string | undefined;
      readonly from?: number | undefined;
      readonly until?: number | undefined;
    },
  ): Promise<Certificate[]>;
}

export function createCertificates(
  ledger: Database,
  clock: () => number,
  blobs: Blobs,
  appendAudit: AppendAudit,
): Certificates {
  async function find(db: Database, id: string): Promise<Certificate> {
    const row = await selectCertificates(db).where('certificates.id', '=', id).executeTakeFirst();
    if (!row) throw unknownCertificate(id);
    return toCertificate(row);
  }

  /** One page of what a statement selects. */
  async function newestFirst(
    selected: ReturnType<typeof selectCertificates>,
    { limit, before }: CertificatePage,
  ): Promise<Certificate[]> {
    const last = before === undefined ? null : await find(ledger, before);
    const rows = await selected
      .$if(last !== null, query =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('certificates.created_at', 'certificates.id'), '<', tuple(last?.createdAt ?? 0, last?.id ?? '')),
        ),
      )
      .orderBy('certificates.created_at', 'desc')
      .orderBy('certificates.id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toCertificate);
  }

  /** Keeps the PDF, then does the work that makes the row, both under one id. */
  async function keep(
    { id = randomUUID(), record, pdf, names = [], actor, requestId }: NewCertificate,
    work: (
      insert: (place: Pick<CertificateRow, 'family' | 'supersedes'>) => Promise<Certificate>,
      trx: Database,
    ) => Promise<Certificate>,
  ): Promise<Certificate> {
    refuseMisshapen(id, record, pdf);
    const kept = { id, sha256: await blobs.put(pdf), size: pdf.byteLength, record };
    try {
      return await ledger.transaction().execute(trx =>
        work(async place => {
          const row = { ...kept, ...place, created_at: clock(), voided_at: null, void_reason: null };
          await trx.insertInto('certificates').values(row).execute();
          const words = names.map(searchable).join('\n');
          await trx.insertInto('certificate_words').values({ id, words }).execute();
          const issued = toCertificate({ ...row, superseded_by: null });
          const after = auditState(issued);
          await appendAudit(trx, { actor, requestId, action: 'certificate.issue', subject: id, before: null, after });
          return issued;
        }, trx),
      );
    } catch (error) {
      if (error instanceof StoreError) throw error;
      // The engines word a broken key differently; whether the id is taken is the same question on both.
      const taken = await selectCertificates(ledger).where('certificates.id', '=', id).executeTakeFirst();
      throw taken
        ? new StoreError('certificate_exists', `There is a certificate ${id} already. Use another id.`)
        : error;
    }
  }

  /** Reads a certificate in order to end it. Writing it unchanged first is the row lock that both engines know. */
  async function lockValid(trx: Database, id: string): Promise<Certificate> {
    await trx
      .updateTable('certificates')
      .set({ void_reason: null })
      .where('id', '=', id)
      .where('voided_at', 'is', null)
      .execute();
    const certificate = await find(trx, id);
    if (certificate.status !== 'valid') {
      const how = certificate.supersededBy === null ? 'void' : `superseded by ${certificate.supersededBy}`;
      throw new StoreError('certificate_ended', `Certificate ${id} is ${how} already and cannot be changed again.`);
    }
    return certificate;
  }

  return {
    issue: ({ family, ...request }) => keep(request, insert => insert({ family, supersedes: null })),

    async get(id) {
      const row = await selectCertificates(ledger).where('certificates.id', '=', id).executeTakeFirst();
      return row ? toCertificate(row) : null;
    },

    async pdf(id) {
      const { sha256 } = await find(ledger, id);
      const bytes = await blobs.get(sha256);
      if (bytes) return bytes;
      throw new StoreError(
        'blob_missing',
        `The PDF of certificate ${id} is not here. Open the store with the folder or bucket that it was issued to.`,
      );
    },

    async void(id, { reason, actor, requestId }) {
      if (reason.trim() === '' || reason.includes('\0')) {
        throw new StoreError('certificate_invalid', 'Say in words why the certificate is voided.');
      }
      return await ledger.transaction().execute(async trx => {
        const before = auditState(await lockValid(trx, id));
        const change = { voided_at: clock(), void_reason: reason };
        await trx.updateTable('certificates').set(change).where('id', '=', id).execute();
        const voided = await find(trx, id);
        const after = auditState(voided);
        await appendAudit(trx, { actor, requestId, action: 'certificate.void', subject: id, before, after });
        return voided;
      });
    },

    supersede: (id, successor) =>
      keep(successor, async (insert, trx) => {
        const { actor, requestId } = successor;
        const old = await lockValid(trx, id);
        const issued = await insert({ family: old.family, supersedes: id });
        const before = auditState(old);
        const after = auditState(await find(trx, id));
        await appendAudit(trx, { actor, requestId, action: 'certificate.supersede', subject: id, before, after });
        return issued;
      }),

    list: async ({ family, ...page }) =>
      await newestFirst(
        selectCertificates(ledger).$if(family !== undefined, query =>
          query.where('certificates.family', '=', family ?? ''),
        ),
        page,
      ),

    search: async ({ text = '', from = 0, until = Number.MAX_SAFE_INTEGER, ...page }) =>
      await newestFirst(
        selectCertificates(ledger)
          .innerJoin('certificate_words', 'certificate_words.id', 'certificates.id')
          .where('certificates.created_at', '>=', from)
          .where('certificates.created_at', '<', until)
          .where(({ and }) => and(conditionsOf(text))),
        page,
      ),
  };
}

function selectCertificates(db: Database) {
  return db
    .selectFrom('certificates')
    .leftJoin('certificates as successor', 'successor.supersedes', 'certificates.id')
    .selectAll('certificates')
    .select('successor.id as superseded_by');
}

function toCertificate(row: CertificateRow & { superseded_by: string | null }): Certificate {
  return {
    id: row.id,
    family: row.family,
    sha256: row.sha256,
    size: row.size,
    record: row.record,
    status: row.voided_at !== null ? 'void' : row.superseded_by !== null ? 'superseded' : 'valid',
    createdAt: row.created_at,
    voidedAt: row.voided_at,
    voidReason: row.void_reason,
    supersededBy: row.superseded_by,
    supersedes: row.supersedes,
  };
}

/** What names the certificate to a reader of the log, and what a change can alter. The record stays out: it is kept anyway. */
function auditState({ record: _, id: __, createdAt: ___, ...state }: Certificate): AuditState {
  return state;
}

/** What is stored cannot be mended later, so it is looked at now. */
function refuseMisshapen(id: string, record: string, pdf: Uint8Array): void {
  const rules: [boolean, string][] = [
    [/^[\w-]{1,64}$/.test(id), 'The id of a certificate is 1 to 64 letters, digits, hyphens or underscores.'],
    [isJsonText(record), 'The record of a certificate is JSON text.'],
    [Buffer.from(pdf.subarray(0, 5)).toString('latin1') === '%PDF-', 'A PDF begins with %PDF-.'],
  ];
  for (const [holds, sentence] of rules) if (!holds) throw new StoreError('certificate_invalid', sentence);
}

/** Text with half a surrogate pair would not come back as it was given. */
function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return text.isWellFormed();
  } catch {
    return false;
  }
}

function unknownCertificate(id: string): StoreError {
  return new StoreError('certificate_unknown', `No certificate has the id ${JSON.stringify(id)}.`);
}
