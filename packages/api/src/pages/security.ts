import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';

/** Maximum size of a submitted form, in bytes. */
const MAX_FORM_BYTES = 32 * 1024;

/**
 * Creates middleware that sets a page's security headers. The page can't be framed or load anything from other sites
 * and, by default, can't run scripts.
 *
 * @param baseUrl the public base URL of the service
 * @param scripted whether the page can run script files from this service; the scripts can send requests only to this
 * service
 * @param connected whether scripts can send requests at all
 */
export function pageHeaders(
  baseUrl: string | undefined,
  { scripted = false, connected = scripted }: { scripted?: boolean; connected?: boolean } = {},
): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      ...(scripted && { scriptSrc: ["'self'"] }),
      ...(connected && { connectSrc: ["'self'"] }),
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // With `no-referrer`, browsers would submit forms with the header `Origin: null`.
    referrerPolicy: 'same-origin',
    strictTransportSecurity: baseUrl?.startsWith('https:') ? 'max-age=31536000' : false,
    xXssProtection: false,
    xDownloadOptions: false,
    xDnsPrefetchControl: false,
    xPermittedCrossDomainPolicies: false,
  });
}

/**
 * Creates middleware for pages with forms. The middleware sets the security headers and rejects forms that are too
 * large or were submitted from another site.
 *
 * @param baseUrl the public base URL of the service; defaults to the request's origin
 * @throws HTTPException from the middleware: 403 for a form from another site, 413 for a form that is too large
 */
export function formProtection(baseUrl: string | undefined): MiddlewareHandler[] {
  const ownOrigin = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  return [
    pageHeaders(ownOrigin),
    csrf({ origin: (origin, c) => origin === (ownOrigin ?? new URL(c.req.url).origin) }),
    bodyLimit({
      maxSize: MAX_FORM_BYTES,
      onError: () => {
        throw new HTTPException(413);
      },
    }),
  ];
}
