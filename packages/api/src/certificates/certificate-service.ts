import { createHash } from 'node:crypto';
import { certificate, type Fonts, InvalidRequest, readRecord } from '@compliance/core/entry';
import { type Certificate, certificateContext, issueCertificate, type Store, StoreError } from '@compliance/store';
import { ApiError, type Issue } from '../errors/api-error.ts';
import type { IssueContext, IssuedCertificate, Issuer } from './issuer-types.ts';
import type { Links } from './links.ts';

/** Certificate issuer dependencies. */
export interface CertificateDeps {
  fonts: Fonts;
  links: Links;
  /** The public base URL of the service, which is printed on certificates. */
  baseUrl: string;
}

const OPERATION = 'entry.gcc.generate';

/**
 * Creates the certificate issuer. The issuer stores each certificate, and clients can safely retry a request that has an
 * `Idempotency-Key`.
 */
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
      if (error instanceof InvalidRequest) throw invalidRequest(error.issues);
      if (error instanceof StoreError && (error.code === 'certificate_ended' || error.code === 'certificate_unknown'))
        throw invalidRequest([{ path: 'supersedes', code: 'INVALID_VALUE', message: error.message }]);
      throw error;
    }
  }

  function toResponse(issued: Certificate, now: number): IssuedCertificate {
    const { path, expiresAt } = links.sign(issued, now);
    const { warnings, completeness, verification_url } = readRecord(issued.record);
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
    if (key === null) return toResponse(await issue(body, crypto.randomUUID(), context), now);

    // Validate the body first, because a request with an invalid body must not reserve its idempotency key.
    try {
      certificate(body, certificateContext(baseUrl, crypto.randomUUID(), now));
    } catch (error) {
      throw error instanceof InvalidRequest ? invalidRequest(error.issues) : error;
    }
    const fingerprint = createHash('sha256').update(canonical(body)).digest('hex');
    const begun = await store.idempotency.begin({ family, operation: OPERATION, key, fingerprint });
    if (begun.state === 'mismatch') throw new ApiError('idempotency_mismatch');
    if (begun.state === 'running') throw new ApiError('idempotency_running', { headers: { 'Retry-After': '1' } });
    if (begun.state === 'done') return toResponse((await store.certificates.get(begun.response))!, now);
    try {
      const issued = await issue(body, begun.run.id, context);
      // Store only the certificate ID under the idempotency key, because each response contains a new link.
      await store.idempotency.finish(begun.run, issued.id);
      return toResponse(issued, now);
    } catch (error) {
      await store.idempotency.abandon(begun.run);
      throw error;
    }
  };
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
