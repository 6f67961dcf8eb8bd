import type { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { timingSafeEqual } from 'hono/utils/buffer';
import type { CookieOptions } from 'hono/utils/cookie';
import { readForm } from '../../pages/form.ts';
import type { OperatorContext, OperatorDeps, OperatorEnv } from './context.ts';
import { renderMessage } from './layout.ts';

const COOKIE = 'operator';
/** Cookie that binds the sign-in form to the browser that opened it. The cookie doesn't grant access to any page. */
const FORM_COOKIE = 'operator-form';
const SIGN_IN = '/operator/sign-in';

/** Over HTTPS, cookie names have the `__Host-` prefix, so that browsers accept these cookies only from this host. */
function cookieOptions({ baseUrl }: OperatorDeps): CookieOptions {
  const secure = baseUrl?.startsWith('https:') ?? false;
  return { path: '/', httpOnly: true, sameSite: 'Strict', secure, ...(secure && { prefix: 'host' }) };
}

/** Returns the session token from the request cookie. */
export function tokenOf(c: OperatorContext, deps: OperatorDeps, name = COOKIE): string | undefined {
  const { prefix } = cookieOptions(deps);
  return prefix ? getCookie(c, name, prefix) : getCookie(c, name);
}

/** Returns the CSRF token for the sign-in form. Also sets the form cookie if the browser doesn't have a valid one. */
export function signInToken(c: OperatorContext, deps: OperatorDeps): string {
  const existing = tokenOf(c, deps, FORM_COOKIE);
  if (existing !== undefined && /^[\w-]{36}$/.test(existing)) return existing;
  const token = crypto.randomUUID();
  setCookie(c, FORM_COOKIE, token, cookieOptions(deps));
  return token;
}

/**
 * Checks whether the sign-in form was opened and submitted in the same browser. Another site can make a browser submit
 * the form, but can't make the browser send the SameSite cookie or a matching form field.
 */
export async function isOwnSignIn(c: OperatorContext, deps: OperatorDeps): Promise<boolean> {
  const [cookie, { form_token: submitted }] = [tokenOf(c, deps, FORM_COOKIE), await readForm(c)];
  return cookie !== undefined && cookie !== '' && submitted !== undefined && (await timingSafeEqual(submitted, cookie));
}

/** Starts a session and sets a cookie with the session token. */
export async function openOperatorSession(c: OperatorContext, deps: OperatorDeps): Promise<void> {
  const { token } = await deps.store.operator.openSession(deps.operator.secretHash);
  setCookie(c, COOKIE, token, cookieOptions(deps));
}

/** Ends the request's session and deletes its cookie. */
export async function closeSession(c: OperatorContext, deps: OperatorDeps): Promise<void> {
  await deps.store.operator.closeSession(tokenOf(c, deps) ?? '');
  deleteCookie(c, COOKIE, cookieOptions(deps));
}

/**
 * Requires a session for all operator pages except sign-in, and the session's CSRF token for all submitted forms.
 * Another site might be able to submit a form with the operator's cookie, but can't know the CSRF token.
 */
export function requireSession(app: Hono<OperatorEnv>, deps: OperatorDeps): void {
  app.use('/operator/*', async (c, next) => {
    if (c.req.path === SIGN_IN) return await next();
    const token = tokenOf(c, deps);
    const session = token && (await deps.store.operator.session(token, deps.operator.secretHash));
    if (!session) return c.redirect(token ? `${SIGN_IN}?ended` : SIGN_IN, 303);
    c.set('session', session);
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const { form_token: submitted } = await readForm(c);
      if (submitted === undefined || !(await timingSafeEqual(submitted, session.csrfToken))) return await refuseForm(c);
    }
    await next();
  });
}

/** Rejects a form that wasn't submitted from the current session. */
export async function refuseForm(c: OperatorContext) {
  const text =
    "The form wasn't submitted from your current session, so no changes were saved. Open the page again and resubmit the form.";
  return await renderMessage(c, { title: 'Form not accepted', text, status: 403 });
}
