import { createHash } from 'node:crypto';
import { type CertificateRecord, certificate, type Fonts, InvalidRequest } from '@compliance/core/entry';
import { type Certificate, certificateContext, issueCertificate, type Store, StoreError } from '@compliance/store';
import { ApiError, type Issue } from '../errors.ts';
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
  async function issue(body: unknown, id: string, context: IssueContext): Promise<Certificate> {
    const { now, family, keyId: actor, requestId } = context;
    try {
      return await issueCertificate(
        store.certificates,
        { fonts, baseUrl },
        { body, id, now, family, actor, requestId },
      );
    } catch (error) {
      if (error instanceof InvalidRequest) throw refused(error.issues);
      if (error instanceof StoreError && (error.code === 'certificate_ended' || error.code === 'certificate_unknown'))
        throw refused([{ path: 'supersedes', code: 'INVALID_VALUE', message: error.message }]);
      throw error;
    }
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
    try {
      certificate(body, certificateContext(baseUrl, crypto.randomUUID(), now));
    } catch (error) {
      throw error instanceof InvalidRequest ? refused(error.issues) : error;
    }
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

function refused(issues: readonly Issue[]): ApiError {
  return new ApiError('invalid_request', { detail: { issues } });
}

/** JSON with the fields of every object in one order, so that the order in which they were sent does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
