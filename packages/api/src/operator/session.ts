import type { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { timingSafeEqual } from 'hono/utils/buffer';
import type { CookieOptions } from 'hono/utils/cookie';
import { fieldsOf } from '../pages/form.ts';
import type { OperatorContext, OperatorDeps, OperatorEnv } from './context.ts';
import { say } from './layout.ts';

const COOKIE = 'operator';
const SIGN_IN = '/operator/sign-in';

/** Over https the name itself says so (`__Host-`), and a browser then takes it from nobody but this host. */
function cookieOptions({ baseUrl }: OperatorDeps): CookieOptions {
  const secure = baseUrl?.startsWith('https:') ?? false;
  return { path: '/', httpOnly: true, sameSite: 'Strict', secure, ...(secure && { prefix: 'host' }) };
}

/** The token that the request's cookie holds. */
export function tokenOf(c: OperatorContext, deps: OperatorDeps): string | undefined {
  const { prefix } = cookieOptions(deps);
  return prefix ? getCookie(c, COOKIE, prefix) : getCookie(c, COOKIE);
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
