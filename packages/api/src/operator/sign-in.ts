import type { Hono } from 'hono';
import { html } from 'hono/html';
import { clientNetwork } from '../http/client-network.ts';
import { textField } from '../pages/field.ts';
import { readForm } from '../pages/form.ts';
import type { Html } from '../pages/page.ts';
import { dateTime } from '../pages/time.ts';
import { changeOf, type OperatorContext, type OperatorDeps, type OperatorEnv } from './shared/context.ts';
import { renderPage } from './shared/layout.ts';
import { closeSession, isOwnSignIn, openOperatorSession, refuseForm, signInToken, tokenOf } from './shared/session.ts';

/** Sign-in attempt limit per client network. The 15-minute window starts with the first attempt. */
const LIMIT = { quota: 5, windowMs: 15 * 60_000 };

/** Adds the sign-in and sign-out routes, with a lockout after too many failed sign-in attempts. */
export function signIn(app: Hono<OperatorEnv>, deps: OperatorDeps): void {
  const { store, operator, clock, trustedProxies = 0 } = deps;
  const runInOrder = createSerialQueue();

  app.get('/operator/sign-in', async c => {
    const token = tokenOf(c, deps);
    if (token && (await store.operator.session(token, operator.secretHash))) return c.redirect('/operator/keys', 303);
    const ended = html`<p class="notice" role="status">Your session has ended. Sign in again.</p>`;
    return await form(c, deps, { notice: c.req.query('ended') === undefined ? undefined : ended });
  });

  app.post('/operator/sign-in', async c => {
    if (!(await isOwnSignIn(c, deps))) return await refuseForm(c);
    const name = `sign-in ${clientNetwork(c, trustedProxies)}`;
    // Count the attempt before checking the secret so that parallel attempts can't bypass the limit.
    const { allowed, count, retryAt } = await store.attempts.take(name, LIMIT);
    if (!allowed) {
      c.header('Retry-After', `${Math.ceil((retryAt! - clock()) / 1000)}`);
      const notice = html`<div class="notice bad" role="alert"><p><strong>Too many failed sign-in attempts from your network</strong></p>
<p>Try again after ${dateTime(retryAt! + 59_999)}. Until then, you can't sign in from your network, even with the correct secret.</p></div>`;
      return await form(c, deps, { notice, status: 429 });
    }
    const { secret } = await readForm(c);
    const correct = secret !== undefined && (await runInOrder(() => operator.verify(secret)));
    if (!correct) {
      if (count === LIMIT.quota) await store.audit.append({ ...event(c), action: 'operator.lock_out' });
      return await form(c, deps, { error: 'Incorrect operator secret.', status: 401 });
    }
    await store.attempts.clear(name);
    await store.audit.append({ ...event(c), action: 'operator.sign_in' });
    await openOperatorSession(c, deps);
    return c.redirect('/operator/keys', 303);
  });

  app.post('/operator/sign-out', async c => {
    await closeSession(c, deps);
    await store.audit.append({ ...event(c), action: 'operator.sign_out' });
    return c.redirect('/operator/sign-in', 303);
  });
}

/**
 * Creates a queue that runs one task at a time. Checking a secret deliberately uses a lot of memory and occupies a
 * thread. Without a queue, simultaneous attempts from many networks could starve the rest of the service. Attempts
 * within a network's limit, including the operator's, wait in the queue. Attempts over the limit get status 429
 * immediately and never prevent other networks from signing in.
 */
function createSerialQueue() {
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
  { notice, error, status = 200 }: { notice?: Html | undefined; error?: string; status?: 200 | 401 | 429 },
) {
  const body = html`<div class="narrow">
<div class="heading"><h1>Operator sign-in</h1>
<p class="lead">For operators of this service. To request an API key, <a href="/beta">join the waitlist</a>.</p></div>
${notice}
<form class="card" method="post" action="/operator/sign-in"><input type="hidden" name="form_token" value="${signInToken(c, deps)}">
${textField({ name: 'secret', label: 'Operator secret', type: 'password', autocomplete: 'current-password', required: true, error })}
<button>Sign in</button>
</form>
</div>`;
  return await renderPage(c, { title: 'Operator sign-in', body, status });
}
