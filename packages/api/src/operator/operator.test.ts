import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { skeleton, visibleText } from '../testing/markup.ts';
import { createOperatorClient } from '../testing/operator-client.ts';
import { SECRET, startOperatorService } from '../testing/operator-service.ts';
import { jsonBody, startService } from '../testing/service.ts';

type Service = Awaited<ReturnType<typeof startOperatorService>>;

const CSP =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

let service: Service;
const { send, trySecret, signIn } = createOperatorClient(() => service);
beforeAll(async () => {
  service = await startOperatorService();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.time.now += 86_400_000;
  service.failures.length = 0;
});

/** Stores a certificate with the given value in all client-controlled text fields, and returns the certificate ID. */
async function certificateOf(value: string, { store }: Service): Promise<string> {
  const record = {
    request: { product_info: { name: value, model: value, sku: value } },
    warnings: [{ code: value, path: value, message: value, citation: value }],
    completeness: { status: 'incomplete', missing: [{ message: value }] },
  };
  const pdf = Buffer.from('%PDF-');
  const draft = { family: value, record: JSON.stringify(record), pdf, names: [value], actor: value };
  return (await store.certificates.issue(draft)).id;
}

/** Creates a waitlist request, a key, and a certificate so that every form has data to change. */
async function createTestData() {
  const { record, key } = await service.store.keys.issue({ scope: 'all', note: 'a note', actor: 'test' });
  await service.store.waitlist.ask({ company: 'Acme', useCase: 'u', expectedVolume: 'v', email: 'buyer@acme.test' });
  const [request] = (await service.store.waitlist.list({ status: 'waiting', limit: 1000 })).slice(-1);
  const certificate = await certificateOf('Lamp', service);
  const forms: [string, Record<string, string>][] = [
    ['/operator/keys', { scope: 'all', note: 'x', once: crypto.randomUUID() }],
    [`/operator/keys/${record.id}/edit`, { scope: 'pixel', note: 'changed' }],
    [`/operator/keys/${record.id}/rotate`, { overlap: '1h' }],
    [`/operator/keys/${record.id}/revoke`, {}],
    [`/operator/waitlist/${request!.id}/founding`, { founding: 'on' }],
    [`/operator/waitlist/${request!.id}/approve`, { scope: 'all' }],
    [`/operator/waitlist/${request!.id}/decline`, {}],
    [`/operator/certificates/${certificate}/void`, { reason: 'Wrong lab', confirmed: 'on' }],
    ['/operator/sign-out', {}],
  ];
  const pages = [
    ...['/operator/keys', `/operator/keys/${record.id}`, '/operator/waitlist', '/operator/waitlist?status=approved'],
    ...['/operator/lists', '/operator/audit', '/operator/certificates', `/operator/certificates/${certificate}`],
  ];
  return { key, record, request: request!, forms, pages };
}

/** Returns all data that the forms can change. */
const state = async () =>
  JSON.stringify([
    await service.store.keys.list({ includeEnded: true }),
    await service.store.waitlist.list({ status: 'waiting', limit: 1000 }),
    await service.store.waitlist.counts(),
    await service.store.certificates.list({ limit: 1000 }),
  ]);

describe('the operator pages without an operator secret', () => {
  it('returns 404 for all operator pages', async () => {
    const bare = await startService();
    for (const path of ['/operator', '/operator/', '/operator/sign-in', '/operator/keys', '/operator/keys/x']) {
      for (const options of [{}, { form: { secret: SECRET } }]) {
        const response = await send(path, { ...options, at: bare });
        expect([path, response.status]).toEqual([path, 404]);
        expect(await jsonBody(response)).toMatchObject({ error: 'not_found' });
      }
    }
    await bare.stop();
  });
});

describe('the operator pages without a session', () => {
  it('redirects every page and form to sign-in without changing data', async () => {
    const { forms, pages } = await createTestData();
    const before = await state();
    const { token } = await signIn();
    for (const cookie of ['', 'operator=', 'operator=nonsense', `operator=${'x'.repeat(43)}`, `operator=${token}`]) {
      for (const path of [...pages, '/operator', '/operator/nothing']) {
        const response = await send(path, { cookie });
        expect([path, response.status]).toEqual([path, 303]);
        expect(response.headers.get('Location')).toMatch(/^\/operator\/sign-in(\?ended)?$/);
        expect(await response.text()).toBe('');
      }
      for (const [path, form] of forms) {
        expect((await send(path, { cookie, form: { ...form, form_token: token } })).status).toBe(303);
      }
    }
    expect(await state()).toBe(before);
  });

  it('rejects unsupported methods', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const request = new Request('http://service.test/operator/keys', { method });
      expect((await service.api.fetch(request)).status).toBe(403);
    }
  });
});

describe('operator forms', () => {
  it('rejects a form without its session’s CSRF token and changes no data', async () => {
    const { forms } = await createTestData();
    const [mine, other] = [await signIn(), await signIn()];
    const before = await state();
    for (const [path, form] of forms) {
      for (const form_token of [undefined, '', 'x', other.token, `${mine.token}x`]) {
        const sent = { ...form, ...(form_token !== undefined && { form_token }) };
        const response = await send(path, { cookie: mine.cookie, form: sent });
        expect([path, response.status]).toEqual([path, 403]);
        expect(await response.text()).toContain('no changes were saved');
      }
    }
    expect(await state()).toBe(before);
    expect((await send('/operator/keys', { cookie: mine.cookie })).status).toBe(200);
  });

  it('rejects a form from another site or with an unsupported content type and changes no data', async () => {
    const { forms } = await createTestData();
    const { cookie, token } = await signIn();
    const before = await state();
    const rejected = [
      { Origin: 'https://elsewhere.test' },
      { Origin: 'null' },
      { Origin: 'https://elsewhere.test', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'http://service.test.elsewhere.test' },
      { Origin: '', 'Sec-Fetch-Site': 'same-site' },
      { 'Content-Type': 'application/json' },
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      { 'Content-Type': 'text/plain', Origin: 'null' },
    ];
    for (const [path, form] of forms) {
      for (const headers of rejected) {
        const response = await send(path, { cookie, headers, form: { ...form, form_token: token } });
        expect([path, headers, response.status]).toEqual([path, headers, 403]);
      }
    }
    expect(await state()).toBe(before);
  });

  it('issues only one key if a form is submitted repeatedly', async () => {
    const { cookie, token } = await signIn();
    const form = { scope: 'all', note: 'once', once: crypto.randomUUID(), form_token: token };
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await send('/operator/keys', { cookie, form })).status),
    );
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
    expect((await service.store.keys.list()).filter(({ note }) => note === 'once')).toHaveLength(1);
  });

  it('rejects values that aren’t options on the page and changes no data', async () => {
    const { record, request } = await createTestData();
    const { cookie, token } = await signIn();
    const before = await state();
    for (const [path, form] of [
      ['/operator/keys', { scope: 'gold', note: '', once: 'a' }],
      ['/operator/keys', { scope: 'all', note: 'x'.repeat(501), once: 'a' }],
      ['/operator/keys', { scope: 'all', note: '' }],
      [`/operator/keys/${record.id}/edit`, { scope: '__proto__', note: '' }],
      [`/operator/keys/${record.id}/rotate`, { overlap: 'constructor' }],
      [`/operator/waitlist/${request.id}/approve`, { scope: '' }],
    ] as [string, Record<string, string>][]) {
      expect((await send(path, { cookie, form: { ...form, form_token: token } })).status).toBe(400);
    }
    for (const path of ['/operator/keys/key_x/revoke', '/operator/waitlist/req_x/decline', '/operator/nothing']) {
      expect((await send(path, { cookie, form: { form_token: token } })).status).toBe(404);
    }
    const large = await send('/operator/keys', { cookie, form: { note: 'x'.repeat(40_000), form_token: token } });
    expect(large.status).toBe(413);
    expect(await state()).toBe(before);
  });
});

describe('HTML in submitted fields', () => {
  const text = fc.oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' autofocus onfocus=alert(1) x='",
      '</textarea><script>alert(1)</script>',
      '</title></svg><svg onload=alert(1)>',
      '&lt;b&gt;&#60;i&#62;&amp;',
      '<!-- --><![CDATA[ ]]>',
      'javascript:alert(1)',
      '{{7*7}}<%= 7*7 %>',
    ),
    fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }).map(noise => `x${noise.replaceAll('\0', '')}x`),
    fc.stringMatching(/^x[<>"'&=/ a-z!-]{0,40}x$/),
  );

  /**
   * Sets every text field that a client or an operator controls to the given value, and returns the resulting pages.
   */
  async function pagesWith(value: string): Promise<string[]> {
    const at = await startOperatorService();
    const { store } = at;
    const form = { company: value, useCase: value, expectedVolume: value, email: value };
    for (let i = 0; i < 3; i++) await store.waitlist.ask(form);
    const [first, second] = await store.waitlist.list({ status: 'waiting', limit: 2 });
    await store.waitlist.setFounding(second!.id, { founding: true, actor: value });
    await store.waitlist.decline(first!.id, { actor: value });
    const { record: key } = await store.keys.issue({ scope: 'all', note: value, actor: value });
    await store.usage.record({ keyId: key.id, operation: value });
    await store.keys.update(key.id, { note: `${value} more`, actor: value });
    const written = { [value]: value };
    await store.audit.append({ actor: value, action: value, subject: value, before: { a: value }, after: written });
    const id = await certificateOf(value, at);
    await store.certificates.void(id, { reason: `${value} again`, actor: value });
    const { cookie, token } = await signIn(at);
    const encoded = encodeURIComponent(value.toWellFormed());
    const paths = [
      ...['/operator/keys', `/operator/keys/${key.id}`, '/operator/audit', '/operator/waitlist'],
      ...['/operator/certificates', `/operator/certificates/${id}`, `/operator/certificates/${encoded}zzz`],
      ...[`/operator/certificates?q=${encoded}zzz&from=${encoded}&to=${encoded}`],
      ...['/operator/waitlist?status=declined', `/operator/waitlist?status=${encoded}`],
      ...[`/operator/keys?q=${encoded}%22'zzz`, `/operator/keys/${encoded}zzz`, `/operator/${encoded}zzz`],
      ...[`/operator/sign-in?ended=${encoded}`],
    ];
    const pages = await Promise.all(paths.map(async path => await (await send(path, { cookie, at })).text()));
    const approve = { scope: 'all', form_token: token };
    pages.push(await (await send(`/operator/waitlist/${second!.id}/approve`, { cookie, form: approve, at })).text());
    const faulty = { company: value, use_case: value, expected_volume: value, email: `${value}@` };
    pages.push(await (await send('/beta', { form: faulty, at })).text());
    expect(at.failures).toEqual([]);
    await at.stop();
    return pages;
  }

  it('prevents submitted HTML from changing a page’s elements or attributes', async () => {
    const harmless = (await pagesWith('harmless')).map(skeleton);
    await fc.assert(
      fc.asyncProperty(text, async value => {
        expect((await pagesWith(value)).map(skeleton)).toEqual(harmless);
      }),
      { numRuns: 25, examples: [['<script>alert(1)</script>'], ['"><img src=x onerror=alert(1)>']] },
    );
  });

  it('shows submitted HTML as text', async () => {
    const value = `<b>"Acme" & 'Söhne'</b> &amp; 馬`;
    const [keys, key, audit, waitlist, certificates, certificate] = await pagesWith(value);
    for (const page of [keys, key, audit, waitlist, certificates, certificate])
      expect(visibleText(page!)).toContain(value);
  });
});

describe('every page', () => {
  it('blocks scripts, caching, and framing, even if the request fails', async () => {
    const { pages, forms } = await createTestData();
    const { cookie, token } = await signIn();
    const responses = [
      ...(await Promise.all(pages.map(path => send(path, { cookie })))),
      await send('/operator/nothing', { cookie }),
      await send('/operator/keys/key_x', { cookie }),
      await send('/operator/sign-in'),
      await trySecret('wrong'),
      await send('/operator/keys', { cookie, form: {} }),
      await send('/operator/keys', { cookie, form: { x: 'x'.repeat(40_000) } }),
      await send('/operator/keys', { cookie, form: {}, headers: { Origin: 'https://elsewhere.test' } }),
      await send(forms[0]![0], { cookie, form: { ...forms[0]![1], form_token: token } }),
    ];
    for (const response of responses) {
      expect(response.headers.get('Content-Security-Policy')).toBe(CSP);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(response.headers.get('X-Frame-Options')).toBe('DENY');
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(response.headers.get('Referrer-Policy')).toBe('same-origin');
      const page = await response.text();
      expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(page).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|(src|href)="(https?:)?\/\//i);
    }
  });

  it('shows a full key only when it is issued and never shows a session token', async () => {
    const { key, pages, forms, record } = await createTestData();
    const { cookie, token } = await signIn();
    const session = cookie.split('=')[1]!;
    const seen: string[] = [];
    for (const [path, form] of forms.slice(0, -1)) {
      seen.push(await (await send(path, { cookie, form: { ...form, form_token: token } })).text());
    }
    for (const path of pages) seen.push(await (await send(path, { cookie })).text());
    const all = seen.join('\n');
    expect(all).toContain(record.prefix);
    expect(all).not.toContain(key);
    expect(all).not.toContain(session);
    const issued = [...all.matchAll(/cmpl_live_\w{3,6}_\w{38}/g)].map(([text]) => text);
    expect(issued).toHaveLength(3);
    expect(new Set(issued).size).toBe(3);
    expect(JSON.stringify(await service.store.audit.list({ limit: 1000 }))).not.toMatch(/@|cmpl_live_\w{3,6}_\w{38}/);
  });

  it('doesn’t reveal internal error details', async () => {
    const broken = await startOperatorService();
    const { cookie, token } = await signIn(broken);
    await broken.store.close();
    for (const options of [{ cookie }, { cookie, form: { note: 'buyer@acme.test', form_token: token } }]) {
      const response = await send('/operator/keys', { ...options, at: broken });
      expect(response.status).toBe(500);
      expect(response.headers.get('Content-Security-Policy')).toBe(CSP);
      const page = await response.text();
      expect(page).toContain(response.headers.get('X-Request-Id'));
      expect(page).not.toMatch(/acme|sqlite|database|Error|at \w+ \(/);
    }
    expect(broken.failures).toHaveLength(2);
    await broken.stop();
  });
});
