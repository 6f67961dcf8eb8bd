import type { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { timingSafeEqual } from 'hono/utils/buffer';
import type { CookieOptions } from 'hono/utils/cookie';
import { fieldsOf } from '../pages/form.ts';
import type { OperatorContext, OperatorDeps, OperatorEnv } from './context.ts';
import { say } from './layout.ts';

const COOKIE = 'operator';
/** Binds the form to sign in to the browser that opened it. It opens nothing. */
const FORM_COOKIE = 'operator-form';
const SIGN_IN = '/operator/sign-in';

/** Over https the name itself says so (`__Host-`), and a browser then takes it from nobody but this host. */
function cookieOptions({ baseUrl }: OperatorDeps): CookieOptions {
  const secure = baseUrl?.startsWith('https:') ?? false;
  return { path: '/', httpOnly: true, sameSite: 'Strict', secure, ...(secure && { prefix: 'host' }) };
}

/** The session's token that the request's cookie holds. */
export function tokenOf(c: OperatorContext, deps: OperatorDeps, name = COOKIE): string | undefined {
  const { prefix } = cookieOptions(deps);
  return prefix ? getCookie(c, name, prefix) : getCookie(c, name);
}

/** The token of the form to sign in, for a field of it; the browser gets the same as a cookie, if it has none. */
export function signInToken(c: OperatorContext, deps: OperatorDeps): string {
  const held = tokenOf(c, deps, FORM_COOKIE);
  if (held !== undefined && /^[\w-]{36}$/.test(held)) return held;
  const made = crypto.randomUUID();
  setCookie(c, FORM_COOKIE, made, cookieOptions(deps));
  return made;
}

/**
 * Whether a form to sign in was opened by the browser that sends it. A page elsewhere can make a browser send the form, but
 * neither its cookie, which stays on this site, nor a field that equals it.
 */
export async function isOwnSignIn(c: OperatorContext, deps: OperatorDeps): Promise<boolean> {
  const [held, { form_token: sent }] = [tokenOf(c, deps, FORM_COOKIE), await fieldsOf(c)];
  return held !== undefined && held !== '' && sent !== undefined && (await timingSafeEqual(sent, held));
}

/** Opens a session and hands its token to the browser. */
export async function openSession(c: OperatorContext, deps: OperatorDeps): Promise<void> {
  const { token } = await deps.store.operator.openSession(deps.operator.secretHash);
  setCookie(c, COOKIE, token, cookieOptions(deps));
}

/** Ends the request's session, here and in the browser. */
export async function closeSession(c: OperatorContext, deps: OperatorDeps): Promise<void> {
  await deps.store.operator.closeSession(tokenOf(c, deps) ?? '');
  deleteCookie(c, COOKIE, cookieOptions(deps));
}

/**
 * Lets nobody past without a session, and no form without the session's token: a page elsewhere can send a form here with
 * the operator's cookie, but cannot know the token.
 */
export function requireSession(app: Hono<OperatorEnv>, deps: OperatorDeps): void {
  app.use('/operator/*', async (c, next) => {
    if (c.req.path === SIGN_IN) return await next();
    const token = tokenOf(c, deps);
    const session = token && (await deps.store.operator.session(token, deps.operator.secretHash));
    if (!session) return c.redirect(token ? `${SIGN_IN}?ended` : SIGN_IN, 303);
    c.set('session', session);
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const { form_token: sent } = await fieldsOf(c);
      if (sent === undefined || !(await timingSafeEqual(sent, session.formToken))) return await refuseForm(c);
    }
    await next();
  });
}

/** The answer to a form that did not come from a page of this session. Nothing was changed. */
export async function refuseForm(c: OperatorContext) {
  const text =
    'It does not come from a page of your session. Nothing was changed. Open the page again and send it there.';
  return await say(c, { title: 'This form was refused', text, status: 403 });
}
