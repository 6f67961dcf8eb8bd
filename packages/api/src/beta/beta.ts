import type { Store, WaitlistForm } from '@compliance/store';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { type Connection, clientOf } from '../gates/client-address.ts';
import { textArea, textField } from '../pages/field.ts';
import { fieldsOf } from '../pages/form.ts';
import { pageGuard } from '../pages/guard.ts';
import type { Html } from '../pages/page.ts';
import { publicPage } from '../pages/public.ts';
import { line, lines } from '../pages/text.ts';
import { moment } from '../pages/time.ts';

/** What the public form works with. */
export interface BetaDeps {
  store: Store;
  /** Milliseconds since 1970. */
  clock: () => number;
  baseUrl?: string | undefined;
  trustedProxies?: number | undefined;
  onFailure?: ((failure: unknown, requestId: string) => void) | undefined;
}

/** Forms from one address; the hour runs from the first of them. */
const LIMIT = { quota: 10, windowMs: 3_600_000 };

const betaForm = z.object({
  company: line(200).refine(Boolean, 'Tell us the name of your company.'),
  use_case: lines(2000).refine(Boolean, 'Tell us in a sentence or two what you want to do.'),
  expected_volume: line(200).refine(Boolean, 'A rough number is enough.'),
  email: line(254).pipe(z.email('Write an address like name@company.com.')),
});

type Values = Partial<Record<string, string>>;

/**
 * The public form to ask for a key at `/beta`. Everyone who sends it gets the same answer, whether or not the address is
 * known.
 *
 * @example
 * app.route('/', betaPages({ store, clock: Date.now }));
 */
export function betaPages(deps: BetaDeps): Hono<{ Bindings: Connection; Variables: { requestId: string } }> {
  const { store, clock, baseUrl, trustedProxies = 0 } = deps;
  const app = new Hono<{ Bindings: Connection; Variables: { requestId: string } }>();
  app.use('/beta/*', ...pageGuard(baseUrl));

  app.get('/beta', async c => c.html(await formPage({})));

  app.post('/beta', async c => {
    const { website, ...sent } = await fieldsOf(c);
    const { allowed, retryAt } = await store.attempts.take(`beta ${clientOf(c, trustedProxies)}`, LIMIT);
    if (!allowed) {
      c.header('Retry-After', `${Math.ceil((retryAt! - clock()) / 1000)}`);
      const notice = html`<div class="notice bad" role="alert"><p><strong>Too many requests from your network.</strong></p><p>Nothing was sent. Try again after ${moment(retryAt! + 59_999)}.</p></div>`;
      return c.html(await formPage({ values: sent, notice }), 429);
    }
    const form = betaForm.safeParse({ company: '', use_case: '', expected_volume: '', email: '', ...sent });
    if (!form.success) {
      const notice = html`<p class="notice bad" role="alert">Nothing was sent yet. Please look at the marked fields.</p>`;
      return c.html(await formPage({ values: sent, faults: faultsOf(form.error), notice }), 422);
    }
    // People do not see this field; what fills it in is a program, and is told the same.
    if (website === '' || website === undefined) await store.waitlist.ask(waitlistForm(form.data));
    return c.redirect('/beta/received', 303);
  });

  app.get('/beta/received', async c => {
    const text =
      'An operator reads each request. Keys are given out on a rolling basis; you will hear from us at the address you gave.';
    return c.html(await saidPage('Thank you. Your request is in.', text));
  });

  app.onError(async (error, c) => {
    if (error instanceof HTTPException) {
      const text = 'Open the form again and send it from there.';
      return c.html(await saidPage('This form was refused', text), error.status as ContentfulStatusCode);
    }
    deps.onFailure?.(error, c.get('requestId'));
    const text = `Nothing was kept. Please try again later. The request id is ${c.get('requestId')}.`;
    return c.html(await saidPage('The service failed', text), 500);
  });
  return app;
}

function waitlistForm({ company, use_case, expected_volume, email }: z.infer<typeof betaForm>): WaitlistForm {
  return { company, useCase: use_case, expectedVolume: expected_volume, email };
}

/** The first fault of each field. */
function faultsOf(error: z.ZodError): Values {
  return Object.fromEntries(error.issues.toReversed().map(({ path, message }) => [path[0], message]));
}

function formPage({ values = {}, faults = {}, notice }: { values?: Values; faults?: Values; notice?: Html }): Html {
  const body = html`<div class="narrow">
<div class="heading"><h1>Ask for an API key</h1>
<p class="lead">The API is in a closed beta. Keys go to procurement teams and integration partners from a rolling waitlist; customers of the founding tier are eligible at once.</p></div>
${notice}
<form class="card" method="post" action="/beta" novalidate>
${textField({ name: 'company', label: 'Company', value: values.company, fault: faults.company, maxLength: 200, required: true, autocomplete: 'organization' })}
${textArea({ name: 'use_case', label: 'Use case', hint: 'What do you want to check, scan or certify?', value: values.use_case, fault: faults.use_case, maxLength: 2000, required: true, rows: 5 })}
${textField({ name: 'expected_volume', label: 'Expected volume', hint: 'For example: 2,000 look-ups and 50 certificates a month.', value: values.expected_volume, fault: faults.expected_volume, maxLength: 200, required: true })}
${textField({ name: 'email', label: 'E-mail', type: 'email', hint: 'We answer there, and use it for nothing else.', value: values.email, fault: faults.email, maxLength: 254, required: true, autocomplete: 'email' })}
<div class="trap" aria-hidden="true"><label for="website">Leave this empty</label><input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>
<button>Join the waitlist</button>
</form>
</div>`;
  return publicPage({ title: 'Ask for an API key', section: '/beta', body });
}

function saidPage(title: string, text: string): Html {
  const body = html`<div class="narrow"><div class="heading"><h1>${title}</h1><p class="lead">${text}</p></div></div>`;
  return publicPage({ title, section: '/beta', body });
}
