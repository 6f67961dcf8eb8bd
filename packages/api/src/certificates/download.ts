import { createHash } from 'node:crypto';
import { certificateKind, hasEnded, readRecord } from '@compliance/core/entry';
import type { Store } from '@compliance/store';
import { Hono } from 'hono';
import { ApiError } from '../errors/api-error.ts';
import { clientNetwork } from '../http/client-network.ts';
import type { ApiEnv } from '../http/context.ts';
import { poolCallerOf } from '../http/pool-caller.ts';
import type { Links } from './links.ts';
import type { DeliverPdf } from './marked-pdf.ts';
import { CERTIFICATE_PATH } from './paths.ts';

/** Dependencies of the download route. */
interface DownloadDeps {
  links: Links;
  deliver: DeliverPdf;
  /** The public base URL of the service. */
  baseUrl: string;
  /** Number of trusted reverse proxies in front of the service. */
  trustedProxies: number;
}

/**
 * Creates the route `GET /gcc/{id}/pdf`, which returns the PDF for a signed link. If the certificate is superseded or
 * voided, every page of the PDF is marked, and the response starts with the bytes of the PDF as issued. An invalid link
 * and an unknown certificate get the same response.
 */
export function downloadRoutes(
  store: Store,
  { links, deliver, baseUrl, trustedProxies }: DownloadDeps,
  clock: () => number,
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get(`${CERTIFICATE_PATH}/pdf`, async c => {
    const id = c.req.param('id');
    const certificate = await store.certificates.get(id);
    const { pathname, search } = new URL(c.req.url);
    const verdict = links.verify(pathname + search, id, certificate, clock());
    if (verdict === 'invalid' || !certificate) throw new ApiError('link_invalid');
    if (verdict === 'expired') throw new ApiError('link_expired');
    const { status, supersededBy } = certificate;
    const pdf = await deliver(
      certificate,
      poolCallerOf(c, { lane: 'keyless', tenant: clientNetwork(c, trustedProxies) }),
    );
    const kind = certificateKind(readRecord(certificate.record));
    const name = hasEnded(status) ? `${kind}-${id}-${status}.pdf` : `${kind}-${id}.pdf`;
    return c.body(pdf, 200, {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Length': `${pdf.byteLength}`,
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-site',
      'X-Robots-Tag': 'noindex',
      ETag: `"sha256-${createHash('sha256').update(pdf).digest('hex')}"`,
      'Accept-Ranges': 'none',
      'GCC-Status': status,
      // Hash of the PDF as issued, which is the first `GCC-Size` bytes of the response.
      'GCC-SHA256': certificate.sha256,
      'GCC-Size': `${certificate.size}`,
      ...(supersededBy !== null && { Link: `<${baseUrl}/gcc/${supersededBy}>; rel="successor-version"` }),
    });
  });
  return app;
}
