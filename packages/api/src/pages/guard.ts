import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';

/** The largest form that is read, in bytes. */
const MAX_FORM = 32 * 1024;

/**
 * The headers of every page: it runs no script, reaches no other site and is framed by none.
 *
 * @param baseUrl where the service is reached from outside
 * @param scripted lets the page run a script file of this service, which may ask this service alone
 */
export function pageHeaders(baseUrl: string | undefined, { scripted = false } = {}): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      ...(scripted && { scriptSrc: ["'self'"], connectSrc: ["'self'"] }),
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // Not `no-referrer`: a browser would then send forms without their origin.
    referrerPolicy: 'same-origin',
    strictTransportSecurity: baseUrl?.startsWith('https:') ? 'max-age=31536000' : false,
    xXssProtection: false,
    xDownloadOptions: false,
    xDnsPrefetchControl: false,
    xPermittedCrossDomainPolicies: false,
  });
}

/**
 * What stands before pages that take forms: the headers, and that a form comes from a page of this service and is of a sane
 * size.
 *
 * @param baseUrl where the service is reached from outside; the request's own address when left out
 * @throws HTTPException 403 for a form of another site, 413 for a form that is too large
 */
export function pageGuard(baseUrl: string | undefined): MiddlewareHandler[] {
  const home = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  return [
    pageHeaders(home),
    csrf({ origin: (origin, c) => origin === (home ?? new URL(c.req.url).origin) }),
    bodyLimit({
      maxSize: MAX_FORM,
      onError: () => {
        throw new HTTPException(413);
      },
    }),
  ];
}
