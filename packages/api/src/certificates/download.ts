import type { Store } from '@compliance/store';
import { Hono } from 'hono';
import { ApiError } from '../errors/api-error.ts';
import type { Links } from './links.ts';
import { CERTIFICATE_PATH } from './paths.ts';

/**
 * Creates the route `GET /gcc/{id}/pdf`, which returns the PDF for a signed link. An invalid link and an unknown certificate get
 * the same response.
 */
export function downloadRoutes(store: Store, links: Links, clock: () => number): Hono {
  const app = new Hono();
  app.get(`${CERTIFICATE_PATH}/pdf`, async c => {
    const id = c.req.param('id');
    const certificate = await store.certificates.get(id);
    const { pathname, search } = new URL(c.req.url);
    const verdict = links.verify(pathname + search, id, certificate, clock());
    if (verdict === 'invalid' || !certificate) throw new ApiError('link_invalid');
    if (verdict === 'expired') throw new ApiError('link_expired');
    if (certificate.status !== 'valid') throw new ApiError(`certificate_${certificate.status}`);
    return c.body(await store.certificates.pdf(id), 200, {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="GCC-${id}.pdf"`,
      'Content-Length': `${certificate.size}`,
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-site',
      'X-Robots-Tag': 'noindex',
      ETag: `"sha256-${certificate.sha256}"`,
      'Accept-Ranges': 'none',
    });
  });
  return app;
}
