import { createHash } from 'node:crypto';
import {
  type CertificateContext,
  type CertificateRecord,
  certificate,
  type Fonts,
  InvalidRequest,
  render,
} from '@compliance/core/entry';
import { type Certificate, type Store, StoreError } from '@compliance/store';
import { ApiError } from '../errors.ts';
import type { IssueContext, IssuedCertificate, Issuer } from './issued.ts';
import type { Links } from './links.ts';

/** What certificates are made with. */
export interface CertificateDeps {
  fonts: Fonts;
  links: Links;
  /** Where the service is reached from outside; it is printed on certificates. */
  baseUrl: string;
}

const OPERATION = 'entry.gcc.generate';

export function createIssuer(store: Store, { fonts, links, baseUrl }: CertificateDeps): Issuer {
  function contextOf(id: string, now: number): CertificateContext {
    const issuedAt = new Date(now).toISOString();
    return { id, issuedAt, today: issuedAt.slice(0, 10), verificationUrl: `${baseUrl}/gcc/${id}` };
  }

  async function issue(body: unknown, id: string, context: IssueContext): Promise<Certificate> {
    const record = recordOf(body, contextOf(id, context.now));
    const pdf = await render(record, fonts);
    const { family, keyId, requestId } = context;
    const { name, model = '', sku = '' } = record.request.product_info;
    const names = [name, model, sku].filter(Boolean);
    const kept = { id, family, record: JSON.stringify(record), pdf, names, actor: keyId, requestId };
    try {
      const { supersedes } = record.request;
      if (supersedes === undefined) return await store.certificates.issue(kept);
      await refuseForeign(supersedes, family);
      return await store.certificates.supersede(supersedes, kept);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'certificate_ended') throw refusedSupersedes(error.message);
      // An earlier run of the same request made it and died before it could answer.
      const made =
        error instanceof StoreError && error.code === 'certificate_exists' && (await store.certificates.get(id));
      if (made) return made;
      throw error;
    }
  }

  /** A key can end certificates of its own family alone, and learns nothing of others. */
  async function refuseForeign(id: string, family: string): Promise<void> {
    const predecessor = await store.certificates.get(id);
    if (predecessor?.family !== family) throw refusedSupersedes('There is no such certificate of yours.');
  }

  function answer(issued: Certificate, now: number): IssuedCertificate {
    const { path, expiresAt } = links.sign(issued, now);
    const { warnings, completeness, verification_url }: CertificateRecord = JSON.parse(issued.record);
    return {
      gcc_pdf_url: baseUrl + path,
      gcc_id: issued.id,
      verification_url,
      expires_at: new Date(expiresAt).toISOString(),
      sha256: issued.sha256,
      created_at: new Date(issued.createdAt).toISOString(),
      warnings,
      completeness,
    };
  }

  return async (body, context) => {
    const { now, family, idempotencyKey: key } = context;
    if (key === null) return answer(await issue(body, crypto.randomUUID(), context), now);

    // A body with faults must not bind the key, so it is refused before.
    recordOf(body, contextOf(crypto.randomUUID(), now));
    const fingerprint = createHash('sha256').update(canonical(body)).digest('hex');
    const begun = await store.idempotency.begin({ family, operation: OPERATION, key, fingerprint });
    if (begun.state === 'mismatch') throw new ApiError('idempotency_mismatch');
    if (begun.state === 'running') throw new ApiError('idempotency_running', { headers: { 'Retry-After': '1' } });
    if (begun.state === 'done') return answer((await store.certificates.get(begun.response))!, now);
    try {
      const issued = await issue(body, begun.run.id, context);
      // The links of an answer are made anew each time; only the id is kept.
      await store.idempotency.finish(begun.run, issued.id);
      return answer(issued, now);
    } catch (error) {
      await store.idempotency.abandon(begun.run);
      throw error;
    }
  };
}

function refusedSupersedes(message: string): ApiError {
  return new ApiError('invalid_request', {
    detail: { issues: [{ path: 'supersedes', code: 'INVALID_VALUE', message }] },
  });
}

function recordOf(body: unknown, context: CertificateContext): CertificateRecord {
  try {
    return certificate(body, context);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new ApiError('invalid_request', { detail: { issues: error.issues } });
  }
}

/** JSON with the fields of every object in one order, so that the order in which they were sent does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
