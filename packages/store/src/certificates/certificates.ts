import { randomUUID } from 'node:crypto';
import { type CertificateStatus, hasEnded, type InitialStatus, initialStatus } from '@compliance/core/entry/status';
import type { AppendAudit, AuditEntry, AuditState } from '../audit/audit.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { CertificateRow, CertificateWordsRow, Database } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { conditionsOf, conditionsOfStatus, searchable } from './search-terms.ts';

/** An issued certificate. Times are ms since the Unix epoch. */
export interface Certificate {
  readonly id: string;
  /** Key family that the certificate was issued for. */
  readonly family: string;
  /** SHA-256 hash of the PDF, as 64 lowercase hex digits. */
  readonly sha256: string;
  /** Size of the PDF in bytes. */
  readonly size: number;
  /** The JSON text that the PDF was generated from, unchanged. */
  readonly record: string;
  /** The status that follows from the record, until the certificate is superseded or voided. */
  readonly status: CertificateStatus;
  readonly createdAt: number;
  readonly voidedAt: number | null;
  readonly voidReason: string | null;
  /** ID of the certificate that superseded this one. */
  readonly supersededBy: string | null;
  /** ID of the certificate that this one supersedes. */
  readonly supersedes: string | null;
}

/** Actor and request ID of a certificate change, as recorded in the audit log. */
export type CertificateChange = Pick<AuditEntry, 'actor' | 'requestId'>;

/** Content of a new certificate. The content can't be changed later. */
export interface NewCertificate extends CertificateChange {
  /** Certificate ID: 1 to 64 letters, digits, hyphens, or underscores. Defaults to a random UUID. */
  readonly id?: string | undefined;
  /** JSON text that the PDF was generated from. */
  readonly record: string;
  readonly pdf: Uint8Array;
  /** Searchable names, such as the product's name, model, and SKU. */
  readonly names?: readonly string[] | undefined;
}

/** Request for one page of certificates, newest first. */
interface CertificatePage {
  readonly limit: number;
  /** ID of the last certificate on the previous page. */
  readonly before?: string | undefined;
}

/**
 * Issued certificates. Database triggers prevent certificates from being edited or deleted. Once the promise from
 * `issue` or `supersede` resolves, both the row and the PDF survive a power failure. If the promise rejects or the
 * process dies, a PDF can remain without a row, but a row never remains without a PDF. The audit log records every
 * change.
 */
export interface Certificates {
  /**
   * Stores a new certificate: first its PDF, then its row.
   *
   * @throws StoreError with `certificate_exists`, `certificate_invalid`, `storage_full`, `storage_read_only`,
   * `blobs_unavailable`, or `config_invalid`
   * @example
   * const { id, sha256 } = await store.certificates.issue({ family: key.family, record: JSON.stringify(record), pdf,
   * actor: key.id });
   */
  issue(request: NewCertificate & { readonly family: string }): Promise<Certificate>;
  /**
   * Returns the certificate with this ID, or null.
   *
   * @example
   * const certificate = await store.certificates.get(id);
   */
  get(id: string): Promise<Certificate | null>;
  /**
   * Returns the bytes of a certificate's PDF after checking them against the recorded SHA-256 hash.
   *
   * @throws StoreError with `certificate_unknown`, `blob_missing`, `blob_damaged`, `blobs_unavailable`, or
   * `config_invalid`
   * @example
   * return new Response(await store.certificates.pdf(id));
   */
  pdf(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Voids a certificate that hasn't been superseded or voided. If several callers try to void or supersede the same
   * certificate at the same time, exactly one call succeeds.
   *
   * @throws StoreError with `certificate_unknown`, `certificate_ended`, or, if the reason is blank or contains NUL,
   * `certificate_invalid`
   * @example
   * await store.certificates.void(id, { reason: 'Wrong testing laboratory', actor: 'operator' });
   */
  void(id: string, request: CertificateChange & { readonly reason: string }): Promise<Certificate>;
  /**
   * Supersedes a certificate with a complete successor in the same family. Returns the successor.
   *
   * @throws StoreError with `certificate_unknown`, `certificate_ended`, `certificate_incomplete` if the successor isn't
   * complete, or any code that `issue` can throw
   * @example
   * const successor = await store.certificates.supersede(id, { record: JSON.stringify(record), pdf, actor: key.id });
   */
  supersede(id: string, successor: NewCertificate): Promise<Certificate>;
  /**
   * Lists at most `limit` certificates in one family or in all families, newest first. To get the next page, pass the
   * last ID of the current page as `before`.
   *
   * @throws StoreError with `certificate_unknown` if no certificate has the ID `before`
   * @example
   * const page = await store.certificates.list({ family, limit: 50 });
   * const next = await store.certificates.list({ family, limit: 50, before: page.at(-1)?.id });
   */
  list(query: CertificatePage & { readonly family?: string | undefined }): Promise<Certificate[]>;
  /**
   * Finds certificates, newest first. Each word in `text` must occur in one of the certificate's names (ignoring case)
   * or be a prefix (at least six characters) of the certificate's ID or the PDF's SHA-256 hash. `from` (inclusive) and
   * `until` (exclusive) restrict the results by time of issue, in milliseconds since the Unix epoch. If `family` or
   * `status` is omitted, the results aren't restricted by family or status, respectively.
   *
   * @throws StoreError with `certificate_unknown` if no certificate has the ID `before`
   * @example
   * await store.certificates.search({ text: 'helmet rb-200', from: Date.UTC(2026, 10, 1), limit: 50 });
   */
  search(
    query: CertificatePage & {
      readonly family?: string | undefined;
      readonly status?: CertificateStatus | undefined;
      readonly text?: string | undefined;
      readonly from?: number | undefined;
      readonly until?: number | undefined;
    },
  ): Promise<Certificate[]>;
}

export function createCertificates(
  durable: Database,
  clock: () => number,
  blobs: Blobs,
  appendAudit: AppendAudit,
): Certificates {
  async function find(db: Database, id: string): Promise<Certificate> {
    const row = await selectCertificates(db).where('certificates.id', '=', id).executeTakeFirst();
    if (!row) throw unknownCertificate(id);
    return toCertificate(row);
  }

  /** Runs a query for certificates and returns one page of results. */
  async function newestFirst(
    selected: ReturnType<typeof selectCertificates>,
    { limit, before }: CertificatePage,
  ): Promise<Certificate[]> {
    const last = before === undefined ? null : await find(durable, before);
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

  /** Stores the PDF, then runs the transaction that inserts the certificate's row. */
  async function keep(
    { id = randomUUID(), record, pdf, names = [], actor, requestId }: NewCertificate,
    work: (
      insert: (location: Pick<CertificateRow, 'family' | 'supersedes'>) => Promise<Certificate>,
      trx: Database,
    ) => Promise<Certificate>,
  ): Promise<Certificate> {
    refuseMisshapen(id, record, pdf);
    const initial_status = statusAtIssue(record);
    const kept = { id, sha256: await blobs.put(pdf), size: pdf.byteLength, record };
    try {
      return await durable.transaction().execute(trx =>
        work(async location => {
          const row = { ...kept, ...location, created_at: clock(), voided_at: null, void_reason: null };
          await trx.insertInto('certificates').values(row).execute();
          const words = names.map(searchable).join('\n');
          await trx.insertInto('certificate_words').values({ id, words, initial_status }).execute();
          const issued = toCertificate({ ...row, initial_status, superseded_by: null });
          const after = auditState(issued);
          await appendAudit(trx, { actor, requestId, action: 'certificate.issue', subject: id, before: null, after });
          return issued;
        }, trx),
      );
    } catch (error) {
      if (error instanceof StoreError) throw error;
      // The two engines report duplicate keys differently, so check whether the ID is already used.
      const taken = await selectCertificates(durable).where('certificates.id', '=', id).executeTakeFirst();
      throw taken ? new StoreError('certificate_exists', `Certificate ${id} already exists. Use another ID.`) : error;
    }
  }

  /**
   * Reads and locks a certificate before it's voided or superseded. Locks the row with an update that changes nothing,
   * because that's the only kind of row lock that both engines support.
   */
  async function lockCurrent(trx: Database, id: string): Promise<Certificate> {
    await trx
      .updateTable('certificates')
      .set({ void_reason: null })
      .where('id', '=', id)
      .where('voided_at', 'is', null)
      .execute();
    const certificate = await find(trx, id);
    if (hasEnded(certificate.status)) {
      const how = certificate.supersededBy === null ? 'voided' : `superseded by ${certificate.supersededBy}`;
      throw new StoreError('certificate_ended', `Certificate ${id} is already ${how}, so it can't be changed.`);
    }
    return certificate;
  }

  return {
    issue: ({ family, ...request }) => keep(request, insert => insert({ family, supersedes: null })),

    async get(id) {
      const row = await selectCertificates(durable).where('certificates.id', '=', id).executeTakeFirst();
      return row ? toCertificate(row) : null;
    },

    async pdf(id) {
      const { sha256 } = await find(durable, id);
      const bytes = await blobs.get(sha256);
      if (bytes) return bytes;
      throw new StoreError(
        'blob_missing',
        `The PDF for certificate ${id} is missing. Open the store with the folder or bucket that contains the PDF.`,
      );
    },

    async void(id, { reason, actor, requestId }) {
      if (reason.trim() === '' || reason.includes('\0')) {
        throw new StoreError('certificate_invalid', 'Enter a reason for voiding the certificate.');
      }
      return await durable.transaction().execute(async trx => {
        const before = auditState(await lockCurrent(trx, id));
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
        const { actor, requestId, record } = successor;
        if (statusAtIssue(record) !== 'complete') {
          throw new StoreError('certificate_incomplete', 'Only a complete certificate can supersede another one.');
        }
        const old = await lockCurrent(trx, id);
        const issued = await insert({ family: old.family, supersedes: id });
        const before = auditState(old);
        const after = auditState(await find(trx, id));
        await appendAudit(trx, { actor, requestId, action: 'certificate.supersede', subject: id, before, after });
        return issued;
      }),

    list: async ({ family, ...page }) =>
      await newestFirst(
        selectCertificates(durable).$if(family !== undefined, query =>
          query.where('certificates.family', '=', family ?? ''),
        ),
        page,
      ),

    search: async ({ family, status, text = '', from = 0, until = Number.MAX_SAFE_INTEGER, ...page }) =>
      await newestFirst(
        selectCertificates(durable)
          .$if(family !== undefined, query => query.where('certificates.family', '=', family ?? ''))
          .where(({ and }) => and(conditionsOfStatus(status)))
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
    .innerJoin('certificate_words', 'certificate_words.id', 'certificates.id')
    .leftJoin('certificates as successor', 'successor.supersedes', 'certificates.id')
    .selectAll('certificates')
    .select(['certificate_words.initial_status', 'successor.id as superseded_by']);
}

function toCertificate(
  row: CertificateRow & Pick<CertificateWordsRow, 'initial_status'> & { superseded_by: string | null },
): Certificate {
  return {
    id: row.id,
    family: row.family,
    sha256: row.sha256,
    size: row.size,
    record: row.record,
    status: row.voided_at !== null ? 'voided' : row.superseded_by !== null ? 'superseded' : row.initial_status,
    createdAt: row.created_at,
    voidedAt: row.voided_at,
    voidReason: row.void_reason,
    supersededBy: row.superseded_by,
    supersedes: row.supersedes,
  };
}

/**
 * Returns a certificate's state for the audit log. Omits the ID, because it's the audit entry's subject. Also omits the
 * record and the issue time, because they're stored with the certificate and never change.
 */
function auditState({ record: _, id: __, createdAt: ___, ...state }: Certificate): AuditState {
  return state;
}

/** Returns the status determined by a record. A record without a `request` or `completeness` field is a draft. */
function statusAtIssue(record: string): InitialStatus {
  const { request, completeness } = JSON.parse(record) ?? {};
  return request && completeness ? initialStatus({ request, completeness }) : 'draft';
}

/** Validates a new certificate, because a stored certificate can't be corrected. */
function refuseMisshapen(id: string, record: string, pdf: Uint8Array): void {
  const rules: [boolean, string][] = [
    [/^[\w-]{1,64}$/.test(id), 'A certificate ID must consist of 1 to 64 letters, digits, hyphens, or underscores.'],
    [isJsonText(record), 'A certificate record must be valid JSON.'],
    [Buffer.from(pdf.subarray(0, 5)).toString('latin1') === '%PDF-', 'A PDF must start with %PDF-.'],
  ];
  for (const [holds, sentence] of rules) if (!holds) throw new StoreError('certificate_invalid', sentence);
}

/** Checks whether a string is valid JSON without unpaired surrogates, so that it can be stored unchanged. */
function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return text.isWellFormed();
  } catch {
    return false;
  }
}

function unknownCertificate(id: string): StoreError {
  return new StoreError('certificate_unknown', `No certificate has the ID ${JSON.stringify(id)}.`);
}
