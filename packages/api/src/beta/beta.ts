import { ERRORS } from '@compliance/contract/errors';
import type { Store, WaitlistForm } from '@compliance/store';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { clientNetwork } from '../http/client-network.ts';
import type { PageEnv } from '../http/context.ts';
import { recordError } from '../http/error-response.ts';
import { textArea, textField } from '../pages/field.ts';
import { readForm } from '../pages/form.ts';
import type { Html } from '../pages/page.ts';
import { publicPage } from '../pages/public-page.ts';
import { formProtection } from '../pages/security.ts';
import { multiLine, singleLine } from '../pages/text.ts';
import { dateTime } from '../pages/time.ts';

/** Beta form dependencies. */
export interface BetaDeps {
  store: Store;
  /** Returns milliseconds since the Unix epoch. */
  clock: () => number;
  baseUrl?: string | undefined;
  trustedProxies?: number | undefined;
}

/** Hourly submission limit for each client network. The hour starts with the first submission. */
const LIMIT = { quota: 10, windowMs: 3_600_000 };

const betaForm = z.object({
  company: singleLine(200).refine(Boolean, 'Enter your company name.'),
  use_case: multiLine(2000).refine(Boolean, 'Describe your use case in a sentence or two.'),
  expected_volume: singleLine(200).refine(Boolean, 'Enter an estimate of your volume.'),
  email: singleLine(254).pipe(z.email('Enter an email address in the format name@company.com.')),
});

type Values = Partial<Record<string, string>>;

/**
 * Creates the public form at `/beta` for requesting an API key. The response never reveals whether the email address is
 * already on the waitlist.
 *
 * @example
 * app.route('/', betaPages({ store, clock: Date.now }));
 */
export function betaPages({ store, clock, baseUrl, trustedProxies = 0 }: BetaDeps): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.use('/beta/*', ...formProtection(baseUrl));

  app.get('/beta', async c => c.html(await formPage({})));

  app.post('/beta', async c => {
    const { website, ...submitted } = await readForm(c);
    const { allowed, retryAt } = await store.attempts.take(`beta ${clientNetwork(c, trustedProxies)}`, LIMIT);
    if (!allowed) {
      c.header('Retry-After', `${Math.ceil((retryAt! - clock()) / 1000)}`);
      const notice = html`<div class="notice bad" role="alert"><p><strong>Too many requests from your network</strong></p><p>Your request wasn't submitted. Try again after ${dateTime(retryAt! + 59_999)}.</p></div>`;
      return c.html(await formPage({ values: submitted, notice }), 429);
    }
    const form = betaForm.safeParse({ company: '', use_case: '', expected_volume: '', email: '', ...submitted });
    if (!form.success) {
      const notice = html`<p class="notice bad" role="alert">Your request wasn't submitted. Fix the highlighted fields and try again.</p>`;
      return c.html(await formPage({ values: submitted, errors: fieldErrors(form.error), notice }), 422);
    }
    // People can't see this field, so only bots fill it in. Bots get the same response, but the service doesn't store
    // their submissions.
    if (website === '' || website === undefined) await store.waitlist.ask(waitlistForm(form.data));
    return c.redirect('/beta/received', 303);
  });

  app.get('/beta/received', async c => {
    const text =
      "Our team reviews every request and issues keys on a rolling basis. We'll contact you at the email address you entered.";
    return c.html(await messagePage('Request received', text));
  });

  app.onError(async (error, c) => {
    if (error instanceof HTTPException) {
      const text = 'Open the form on this site, and submit your request again.';
      return c.html(await messagePage('Form not accepted', text), error.status as ContentfulStatusCode);
    }
    const { code } = recordError(c, error);
    const text = `Your request wasn't saved. Try again later. Request ID: ${c.get('requestId')}`;
    return c.html(await messagePage('Something went wrong', text), ERRORS[code].status);
  });
  return app;
}

function waitlistForm({ company, use_case, expected_volume, email }: z.infer<typeof betaForm>): WaitlistForm {
  return { company, useCase: use_case, expectedVolume: expected_volume, email };
}

/** Returns the first error for each field. */
function fieldErrors(error: z.ZodError): Values {
  return Object.fromEntries(error.issues.toReversed().map(({ path, message }) => [path[0], message]));
}

function formPage({ values = {}, errors = {}, notice }: { values?: Values; errors?: Values; notice?: Html }): Html {
  const body = html`<div class="narrow">
<div class="heading"><h1>Request an API key</h1>
<p class="lead">The API is in closed beta. Procurement teams and integration partners can join a rolling waitlist for keys. Founding-tier customers are eligible for a key immediately.</p></div>
${notice}
<form class="card" method="post" action="/beta" novalidate>
${textField({ name: 'company', label: 'Company', value: values.company, error: errors.company, maxLength: 200, required: true, autocomplete: 'organization' })}
${textArea({ name: 'use_case', label: 'Use case', hint: 'What do you want to look up, scan, or certify?', value: values.use_case, error: errors.use_case, maxLength: 2000, required: true, rows: 5 })}
${textField({ name: 'expected_volume', label: 'Expected volume', hint: 'For example: 2,000 lookups and 50 certificates per month.', value: values.expected_volume, error: errors.expected_volume, maxLength: 200, required: true })}
${textField({ name: 'email', label: 'Email', type: 'email', hint: 'We use your email address only to respond to your request.', value: values.email, error: errors.email, maxLength: 254, required: true, autocomplete: 'email' })}
<div class="trap" aria-hidden="true"><label for="website">Leave this field empty</label><input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>
<button>Join the waitlist</button>
</form>
</div>`;
  return publicPage({ title: 'Request an API key', section: '/beta', body });
}

function messagePage(title: string, text: string): Html {
  const body = html`<div class="narrow"><div class="heading"><h1>${title}</h1><p class="lead">${text}</p></div></div>`;
  return publicPage({ title, section: '/beta', body });
}
