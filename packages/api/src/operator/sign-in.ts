import type { Hono } from 'hono';
import { html } from 'hono/html';
import { clientOf } from '../gates/client-address.ts';
import { textField } from '../pages/field.ts';
import { fieldsOf } from '../pages/form.ts';
import type { Html } from '../pages/page.ts';
import { moment } from '../pages/time.ts';
import { changeOf, type OperatorContext, type OperatorDeps, type OperatorEnv } from './context.ts';
import { answer } from './layout.ts';
import { closeSession, isOwnSignIn, openSession, refuseForm, signInToken, tokenOf } from './session.ts';

/** Wrong secrets from one address before it must wait; the time runs from the first of them. */
const LIMIT = { quota: 5, windowMs: 15 * 60_000 };

/** To sign in and out, and to wait after too many wrong secrets. */
export function signIn(app: Hono<OperatorEnv>, deps: OperatorDeps): void {
  const { store, operator, clock, trustedProxies = 0 } = deps;
  const inTurn = createTurns();

  app.get('/operator/sign-in', async c => {
    const token = tokenOf(c, deps);
    if (token && (await store.operator.session(token, operator.secretHash))) return c.redirect('/operator/keys', 303);
    const ended = html`<p class="notice" role="status">Your session has ended. Sign in again.</p>`;
    return await form(c, deps, { notice: c.req.query('ended') === undefined ? undefined : ended });
  });

  app.post('/operator/sign-in', async c => {
    if (!(await isOwnSignIn(c, deps))) return await refuseForm(c);
    const name = `sign-in ${clientOf(c, trustedProxies)}`;
    // Counted before the secret is looked at, so that trying many at once gains nothing.
    const { allowed, count, retryAt } = await store.attempts.take(name, LIMIT);
    if (!allowed) {
      c.header('Retry-After', `${Math.ceil((retryAt! - clock()) / 1000)}`);
      const notice = html`<div class="notice bad" role="alert"><p><strong>Too many wrong secrets from your address.</strong></p>
<p>Try again after ${moment(retryAt! + 59_999)}. Until then even the right one is not looked at.</p></div>`;
      return await form(c, deps, { notice, status: 429 });
    }
    const { secret } = await fieldsOf(c);
    const right = secret !== undefined && (await inTurn(() => operator.verify(secret)));
    if (!right) {
      if (count === LIMIT.quota) await store.audit.append({ ...event(c), action: 'operator.lock_out' });
      return await form(c, deps, { fault: 'This is not the operator secret.', status: 401 });
    }
    await store.attempts.clear(name);
    await store.audit.append({ ...event(c), action: 'operator.sign_in' });
    await openSession(c, deps);
    return c.redirect('/operator/keys', 303);
  });

  app.post('/operator/sign-out', async c => {
    await closeSession(c, deps);
    await store.audit.append({ ...event(c), action: 'operator.sign_out' });
    return c.redirect('/operator/sign-in', 303);
  });
}

/**
 * Does one thing after the other. Looking at a secret costs memory and a thread on purpose, so guesses from many addresses
 * at once must not take them from the rest of the service. They wait, and so does the operator among them, but nobody's
 * guesses ever close the door for another address.
 */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

function event(c: OperatorContext) {
  return { ...changeOf(c), subject: 'operator', before: null, after: null };
}

async function form(
  c: OperatorContext,
  deps: OperatorDeps,
  { notice, fault, status = 200 }: { notice?: Html | undefined; fault?: string; status?: 200 | 401 | 429 },
) {
  const body = html`<div class="narrow">
<div class="heading"><h1>Operator sign-in</h1>
<p class="lead">For the people who run this service. To ask for an API key, <a href="/beta">join the waitlist</a>.</p></div>
${notice}
<form class="card" method="post" action="/operator/sign-in"><input type="hidden" name="form_token" value="${signInToken(c, deps)}">
${textField({ name: 'secret', label: 'Operator secret', type: 'password', autocomplete: 'current-password', required: true, fault })}
<button>Sign in</button>
</form>
</div>`;
  return await answer(c, { title: 'Operator sign-in', body, status });
}
