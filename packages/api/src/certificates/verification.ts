import { createHash } from 'node:crypto';
import { certificateId, issuedCertificate } from '@compliance/contract/certificate';
import { certificateKind, hasEnded, type IssuedCertificate, readRecord } from '@compliance/core/entry';
import type { PoolCaller } from '@compliance/crawler/pool';
import type { Certificate, Store } from '@compliance/store';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { clientNetwork } from '../http/client-network.ts';
import type { ApiEnv } from '../http/context.ts';
import { jsonResponse } from '../http/json-response.ts';
import { poolCallerOf } from '../http/pool-caller.ts';
import type { DeliverPdf } from './marked-pdf.ts';
import { CERTIFICATE_PATH } from './paths.ts';

/**
 * The route's description in the OpenAPI document. The route isn't a v1 operation, because it doesn't require an API
 * key.
 */
export const VERIFICATION_ENDPOINT = {
  id: 'entry.gcc.verification',
  method: 'get' as const,
  path: '/gcc/{id}/verification',
  summary: 'Get the public facts about a certificate',
  description:
    'Returns the status and SHA-256 hashes of a certificate. The certificate can be of either type and belong to any account. To ' +
    "check a PDF, compare its hash with `sha256` and `pdf_sha256`. This endpoint doesn't require an API key, and pages on any origin can read the " +
    'response. The operation `entry.gcc.verify`, which requires a key, returns the same information and can also compare a PDF hash.',
  request: z.strictObject({ id: certificateId }),
  response: issuedCertificate,
  errors: ['certificate_not_found', 'not_found'] as const,
  examples: [{ name: 'a certificate', request: { id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60' } }],
};

/**
 * Creates the route `GET /gcc/{id}/verification`, which returns a certificate's status and hashes as JSON so that
 * programs, such as `compliance verify`, can check a file. Like the verification page, the route doesn't require an
 * API key.
 */
export function verificationRoutes(
  store: Store,
  { deliver, trustedProxies }: { deliver: DeliverPdf; trustedProxies: number },
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  // Allow any origin, because storefronts show the status of their products' certificates.
  app.use(`${CERTIFICATE_PATH}/verification`, cors({ origin: '*', allowMethods: ['GET'] }));
  app.get(`${CERTIFICATE_PATH}/verification`, async c => {
    const certificate = await store.certificates.get(c.req.param('id'));
    if (!certificate) throw new ApiError('certificate_not_found');
    const caller = poolCallerOf(c, { lane: 'keyless', tenant: clientNetwork(c, trustedProxies) });
    const issued = await publicFacts(certificate, deliver, caller);
    return jsonResponse(c, 200, JSON.stringify(issued), { 'X-Robots-Tag': 'noindex' });
  });
  return app;
}

/** Returns the certificate facts that anyone with the certificate ID can see. */
export async function publicFacts(
  certificate: Certificate,
  deliver: DeliverPdf,
  caller: () => PoolCaller,
): Promise<IssuedCertificate> {
  const { id, sha256, size, status, voidedAt } = certificate;
  const delivered = hasEnded(status) ? await deliver(certificate, caller) : null;
  return {
    gcc_id: id,
    certificate_type: certificateKind(readRecord(certificate.record)),
    status,
    issued_at: new Date(certificate.createdAt).toISOString(),
    sha256,
    size,
    pdf_sha256: delivered ? createHash('sha256').update(delivered).digest('hex') : sha256,
    superseded_by: certificate.supersededBy,
    voided_at: voidedAt === null ? null : new Date(voidedAt).toISOString(),
    void_reason: certificate.voidReason,
  };
}
