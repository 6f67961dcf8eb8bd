import { createHash } from 'node:crypto';
import { MAX_UPLOADED_BYTES } from '@compliance/contract/certificate';
import {
  type CertificateContext,
  type CertificateKind,
  type CertificateRecord,
  type ChildrensFacts,
  certificateKind,
  efilingNotice,
  hasEnded,
  InvalidRequest,
  type LabelFormat,
  type LabList,
  type MissingElement,
  type PreparedSignature,
  type RetestPlan,
  readRecord,
  retestsOf,
  type SeparatedRequest,
  type SignatureFacts,
  takeAttachments,
} from '@compliance/core/entry';
import { easternDate } from '@compliance/core/tariff';
import { PoolError } from '@compliance/crawler/pool';
import type { CertificateDrawing } from '@compliance/drawing';
import { type Certificate, certificateContext, issueCertificate, type Store, StoreError } from '@compliance/store';
import { ApiError, type Issue } from '../errors/api-error.ts';
import { fromPoolError } from '../errors/from-pool-error.ts';
import { SigningFailed } from '../errors/signing-failed.ts';
import type {
  CertificateCaller,
  CertificateDetails,
  CertificateListItem,
  CertificateService,
} from './certificate-service-types.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import type { Links } from './links.ts';
import type { DeliverPdf } from './marked-pdf.ts';
import { publicFacts } from './verification.ts';

/** Certificate service dependencies. */
export interface CertificateDeps {
  drawing: CertificateDrawing;
  links: Links;
  /** The public base URL of the service, which is printed on certificates. */
  baseUrl: string;
  /** Signs every issued PDF. Without this function, PDFs aren't signed. */
  sign?: SignCertificate | null;
  /**
   * List of CPSC-accepted laboratories, used to check the laboratories on Children's Product Certificates. Without this
   * list, certificates state that acceptance wasn't checked.
   */
  acceptedLabs?: LabList | null;
}

/**
 * Function that signs a PDF, such as `signPdf` from `@compliance/signing` bound to a key. If the function fails, the
 * certificate isn't issued. `prepare` adds the signature placeholder in a worker process.
 */
type SignCertificate = (
  pdf: Uint8Array,
  options: { at: string; prepare: (pdf: Uint8Array, facts: SignatureFacts) => Promise<PreparedSignature> },
) => Promise<Uint8Array>;

/** A certificate request, before its fields are checked, and its attachments. */
type Submission = SeparatedRequest & { kind: CertificateKind };

/** A change that is made only once for each idempotency key. `make` returns the certificate for the response. */
interface Change {
  operation: string;
  /** The change's complete input, which must match any earlier request with the same idempotency key. */
  input: unknown;
  make: (id: string) => Promise<Certificate>;
}

const DAY_MS = 86_400_000;

/** Maximum number of certificates to examine for one request for due tests. */
const MAX_EXAMINED = 1_000;
/** Number of certificates to read from the database at a time. */
const EXAMINED_AT_A_TIME = 100;

/** Interval, in milliseconds, between extensions of the lease on a request's idempotency key. */
const HEARTBEAT_MS = 1_000;

const CURSOR = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates the certificate service for API callers. */
export function createCertificateService(
  store: Store,
  { drawing, links, baseUrl, sign = null, acceptedLabs = null }: CertificateDeps,
  deliver: DeliverPdf,
): CertificateService {
  const { certificates, idempotency } = store;

  const contextFor = ({ kind, attachments }: Submission, context: CertificateContext): CertificateContext => ({
    ...{ ...context, kind, attachments },
    ...(kind === 'CPC' && { acceptedLabs }),
  });

  async function own(id: string, { family }: CertificateCaller): Promise<Certificate> {
    const found = await certificates.get(id);
    if (found?.family !== family) throw new ApiError('certificate_not_found');
    return found;
  }

  async function issue(submission: Submission, id: string, caller: CertificateCaller): Promise<Certificate> {
    const { now, family, keyId: actor, requestId } = caller;
    const draw = async (input: unknown, context: CertificateContext) => {
      const { record, pdf } = await drawing.draw(input, contextFor(submission, context), caller.poolCaller());
      return { record, pdf: sign ? await signed(pdf, record.issued_at, sign, caller) : pdf };
    };
    try {
      return await issueCertificate(
        certificates,
        { draw, baseUrl },
        { body: submission.request, id, now, family, actor, requestId },
      );
    } catch (error) {
      if (error instanceof InvalidRequest) throw invalidRequest(error.issues);
      if (error instanceof StoreError && (error.code === 'certificate_ended' || error.code === 'certificate_unknown'))
        throw invalidRequest([{ path: 'supersedes', code: 'INVALID_VALUE', message: error.message }]);
      throw fromPoolError(error);
    }
  }

  async function signed(pdf: Uint8Array, at: string, sign: SignCertificate, { poolCaller }: CertificateCaller) {
    const prepare = (file: Uint8Array, facts: SignatureFacts) => drawing.prepareSignature(file, facts, poolCaller());
    try {
      return await sign(pdf, { at, prepare });
    } catch (error) {
      throw error instanceof PoolError ? error : new SigningFailed(error);
    }
  }

  async function supersede(
    id: string,
    submission: Submission,
    newId: string,
    caller: CertificateCaller,
  ): Promise<Certificate> {
    try {
      return await issue(submission, newId, caller);
    } catch (error) {
      // Another request might have superseded or voided the certificate in the meantime.
      refuseEnded(await own(id, caller));
      throw error;
    }
  }

  async function voidOnce(id: string, reason: string, caller: CertificateCaller): Promise<Certificate> {
    try {
      return await certificates.void(id, { reason, actor: caller.keyId, requestId: caller.requestId });
    } catch (error) {
      const current = await own(id, caller);
      if (current.status === 'voided' && current.voidReason === reason) return current;
      refuseEnded(current);
      throw error;
    }
  }

  /** Makes a change, or returns the certificate from an earlier request with the same idempotency key. */
  async function once({ operation, input, make }: Change, caller: CertificateCaller) {
    const { family, idempotencyKey, idempotencyLifeMs: lifeMs } = caller;
    const key = parseIdempotencyKey(idempotencyKey);
    if (key === null) return await make(crypto.randomUUID());
    const fingerprint = createHash('sha256').update(canonical(input)).digest('hex');
    const begun = await idempotency.begin({ family, operation, key, fingerprint, lifeMs });
    if (begun.state === 'mismatch') throw new ApiError('idempotency_mismatch');
    if (begun.state === 'running') {
      const seconds = Math.max(1, Math.ceil(begun.retryAfterMs / 1000));
      throw new ApiError('idempotency_running', { headers: { 'Retry-After': `${seconds}` } });
    }
    if (begun.state === 'done') return (await certificates.get(begun.response))!;
    // If a heartbeat fails, a retry might claim the lease. The retry issues the certificate with the same ID, so it
    // can't create a duplicate.
    const heartbeat = setInterval(() => idempotency.extend(begun.run).catch(() => {}), HEARTBEAT_MS);
    try {
      const made = await make(begun.run.id);
      // Store only the certificate ID under the idempotency key, because each response contains a new link.
      await idempotency.finish(begun.run, made.id);
      return made;
    } catch (error) {
      await idempotency.abandon(begun.run);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  /**
   * Builds a certificate record without issuing the certificate, so an invalid request doesn't reserve its idempotency
   * key.
   */
  async function recordOf(submission: Submission, { now, poolCaller }: CertificateCaller): Promise<CertificateRecord> {
    const context = contextFor(submission, certificateContext(baseUrl, crypto.randomUUID(), now));
    const { request, issues } = submission;
    const record = await drawing.validate(request, context, poolCaller()).catch(error => {
      throw error instanceof InvalidRequest ? invalidRequest([...error.issues, ...issues]) : fromPoolError(error);
    });
    if (issues.length > 0) throw invalidRequest(issues);
    return record;
  }

  async function detailsOf(shown: Certificate, { now, poolCaller }: CertificateCaller): Promise<CertificateDetails> {
    const { path, expiresAt } = links.sign(shown, now);
    const record = readRecord(shown.record);
    const { warnings, completeness, childrens, attachments = [] } = record;
    const pdfSha256 = hasEnded(shown.status)
      ? createHash('sha256')
          .update(await deliver(shown, poolCaller))
          .digest('hex')
      : shown.sha256;
    return {
      gcc_pdf_url: baseUrl + path,
      ...summaryOf(shown),
      expires_at: new Date(expiresAt).toISOString(),
      pdf_sha256: pdfSha256,
      warnings: [...warnings],
      completeness: {
        ...completeness,
        missing: completeness.missing.map(each => ({ ...each })),
        contradictions: [...completeness.contradictions],
      },
      childrens_product: childrens ? childrensDetails(record, childrens) : null,
      attachments: attachments.map(each => ({ ...each })),
      efiling_notice: efilingNotice(record),
    };
  }

  return {
    acceptedLabs,

    async issue(kind, body, caller) {
      const submission = { kind, ...takeAttachments(body, MAX_UPLOADED_BYTES) };
      const input = changeInput(submission, await recordOf(submission, caller));
      const make = (id: string) => issue(submission, id, caller);
      const operation = `entry.${kind.toLowerCase()}.generate`;
      return await detailsOf(await once({ operation, input, make }, caller), caller);
    },

    async get(id, caller) {
      return await detailsOf(await own(id, caller), caller);
    },

    async label(id, { file_type, size, dpi }, caller) {
      const { record, status } = await own(id, caller);
      const format = { size, dpi: dpi as LabelFormat['dpi'] };
      const job = { record: readRecord(record), status, format, file: file_type };
      try {
        const content = await drawing.label(job, caller.poolCaller());
        const encoded =
          typeof content === 'string'
            ? ({ encoding: 'utf-8', content } as const)
            : ({ encoding: 'base64', content: Buffer.from(content).toString('base64') } as const);
        return { gcc_id: id, status, file_type, size, dpi, ...encoded };
      } catch (error) {
        if (error instanceof RangeError)
          throw invalidRequest([invalidValue('size', `The label is too small: ${error.message}.`)]);
        throw fromPoolError(error);
      }
    },

    async trackingLabel(id, caller) {
      const { record, status } = await own(id, caller);
      const read = readRecord(record);
      if (!read.childrens)
        throw new ApiError('certificate_not_found', {
          message:
            "This is a General Certificate of Conformity. Only a Children's Product Certificate has a tracking label sheet.",
        });
      const sheet = await drawing.trackingLabel(read, caller.poolCaller()).catch(error => {
        throw fromPoolError(error);
      });
      const content = Buffer.from(sheet).toString('base64');
      return { gcc_id: id, status, file_type: 'pdf', encoding: 'base64', content };
    },

    async due({ within, plan, limit, cursor }, { now, family }) {
      const today = easternDate(now);
      const until = new Date(Date.parse(today) + within * DAY_MS).toISOString().slice(0, 10);
      const due: DueCertificate[] = [];
      let before = cursor === undefined ? undefined : await lastOf(cursor, family);
      for (let examined = 0; examined < MAX_EXAMINED; ) {
        const found = await certificates.search({ family, before, limit: EXAMINED_AT_A_TIME });
        for (const each of found) {
          before = each.id;
          examined++;
          const certificate = hasEnded(each.status) ? null : dueCertificate(each, { plan, today, until });
          if (certificate) due.push(certificate);
          if (due.length === limit) break;
        }
        if (due.length < limit && found.length < EXAMINED_AT_A_TIME)
          return { plan, until, certificates: due, next_cursor: null };
        if (due.length === limit) break;
      }
      return { plan, until, certificates: due, next_cursor: before === undefined ? null : cursorOf({ id: before }) };
    },

    async verify(id, sha256, { poolCaller }) {
      const found = await certificates.get(id);
      if (!found) throw new ApiError('certificate_not_found');
      const issued = await publicFacts(found, deliver, poolCaller);
      const known = { unchanged: issued.sha256, unchanged_marked: issued.pdf_sha256 } as const;
      const comparison = (['unchanged', 'unchanged_marked'] as const).find(each => known[each] === sha256) ?? 'changed';
      return { ...issued, comparison: sha256 === null ? null : comparison };
    },

    async list({ status, issued_from, issued_to, search, limit, cursor }, { family }) {
      const before = cursor === undefined ? undefined : await lastOf(cursor, family);
      const found = await certificates.search({
        ...{ family, status, text: search, before, limit: limit + 1 },
        from: issued_from === undefined ? undefined : Date.parse(issued_from),
        until: issued_to === undefined ? undefined : Date.parse(issued_to) + DAY_MS,
      });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      return { certificates: shown.map(summaryOf), next_cursor: last ? cursorOf(last) : null };
    },

    async void(id, reason, caller) {
      await own(id, caller);
      const change = { operation: 'entry.gcc.void', input: { id, reason }, make: () => voidOnce(id, reason, caller) };
      return await detailsOf(await once(change, caller), caller);
    },

    async supersede(id, body, caller) {
      const request = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
      if ('supersedes' in request && request.supersedes !== id) {
        const message = `Omit this field, or set it to ${id}, the certificate ID in the path.`;
        throw invalidRequest([{ path: 'supersedes', code: 'INVALID_VALUE', message }]);
      }
      const submission = {
        kind: 'GCC' as const,
        ...takeAttachments({ ...request, supersedes: id }, MAX_UPLOADED_BYTES),
      };
      const record = await recordOf(submission, caller);
      const { missing, contradictions } = record.completeness;
      await own(id, caller);
      const gaps = [
        ...missing.map(missingIssue),
        ...contradictions.map(({ path, message }) => invalidValue(path, message)),
      ];
      if (gaps.length > 0) throw invalidRequest(gaps);
      const make = (newId: string) => supersede(id, submission, newId, caller);
      const input = changeInput(submission, record);
      return await detailsOf(await once({ operation: 'entry.gcc.supersede', input, make }, caller), caller);
    },
  };

  /** Extracts the certificate ID from a cursor. @throws ApiError if the cursor isn't from one of the caller's lists */
  async function lastOf(cursor: string, family: string): Promise<string> {
    const id = Buffer.from(cursor, 'base64url').toString();
    const last = CURSOR.test(id) ? await certificates.get(id) : null;
    if (last?.family === family && cursor === cursorOf(last)) return last.id;
    throw invalidRequest([invalidValue('cursor', 'Use the `next_cursor` from the previous page, unchanged.')]);
  }
}

type DueCertificate = Awaited<ReturnType<CertificateService['due']>>['certificates'][number];

/** Returns a certificate and its tests that are due by a date, or null if no tests are due. */
function dueCertificate(
  { id, record, status }: Certificate,
  { plan, today, until }: { plan: RetestPlan; today: string; until: string },
): DueCertificate | null {
  const read = readRecord(record);
  const retests = retestsOf(read, plan).filter(each => each.due <= until);
  if (retests.length === 0) return null;
  const { name, model = null, sku = null } = read.request.product_info;
  const tests = retests.map(each => ({ ...each, overdue: each.due < today }));
  return { gcc_id: id, status, product: { name, model, sku }, verification_url: read.verification_url, tests };
}

function cursorOf({ id }: Pick<Certificate, 'id'>): string {
  return Buffer.from(id).toString('base64url');
}

/**
 * Rejects a certificate that has already been superseded or voided.
 *
 * @throws ApiError `certificate_void` or `certificate_superseded`
 */
function refuseEnded({ status }: Certificate): void {
  if (hasEnded(status)) throw new ApiError(status === 'voided' ? 'certificate_void' : 'certificate_superseded');
}

function summaryOf(shown: Certificate): CertificateListItem {
  const record = readRecord(shown.record);
  const { request, certifying_party, verification_url } = record;
  const { name, model = null, sku = null } = request.product_info;
  return {
    gcc_id: shown.id,
    certificate_type: certificateKind(record),
    status: shown.status,
    verification_url,
    sha256: shown.sha256,
    created_at: new Date(shown.createdAt).toISOString(),
    product: { name, model, sku },
    certifier: certifying_party?.name ?? null,
    supersedes: shown.supersedes,
    superseded_by: shown.supersededBy,
    voided_at: shown.voidedAt === null ? null : new Date(shown.voidedAt).toISOString(),
    void_reason: shown.voidReason,
  };
}

/** Returns the details that are specific to Children's Product Certificates, with rule citations. */
function childrensDetails(
  { rules }: CertificateRecord,
  childrens: ChildrensFacts,
): CertificateDetails['childrens_product'] {
  const { age_grading: grading, lab_list, labs, third_party_testing, expected_rules } = childrens;
  return {
    age_grading: { ...grading, reasons: grading.reasons.map(reason => ({ ...reason })) },
    lab_list,
    labs: labs.map(lab => ({ ...lab })),
    third_party_testing: third_party_testing.map((result, at) => ({ citation: rules[at]!.citation, result })),
    expected_rules:
      expected_rules?.map(({ citation, subject, cited }) => ({ citation, subject, cited: cited !== null })) ?? null,
  };
}

/** Returns a change's input, with hashes instead of the content of attached files. */
function changeInput({ request }: Submission, { attachments }: CertificateRecord): unknown {
  return attachments ? { ...(request as object), attachments } : request;
}

function missingIssue({ path, message, element }: MissingElement): Issue {
  const text = `Only a complete certificate can supersede another one. ${element} requires: ${message}.`;
  return { path, code: 'REQUIRED', message: text };
}

function invalidValue(path: string, message: string): Issue {
  return { path, code: 'INVALID_VALUE', message };
}

function invalidRequest(issues: readonly Issue[]): ApiError {
  return new ApiError('invalid_request', { detail: { issues } });
}

/** Serializes a value as JSON with sorted object keys, so field order doesn't affect the result. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
