import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startService } from '../testing/service.ts';

const FORM = {
  company: 'Acme Hardware',
  use_case: 'Check our catalog',
  expected_volume: '2,000 a month',
  email: 'buyer@acme.test',
};

const service = await startService();
afterAll(() => service.stop());
beforeEach(() => {
  service.time.now += 86_400_000;
  service.failures.length = 0;
});

interface SendOptions {
  from?: string;
  headers?: Record<string, string>;
  to?: typeof service;
}

/** Submits the form the way a browser does. */
async function send(
  form: Record<string, string> | string,
  { from = '203.0.113.7', headers, to = service }: SendOptions = {},
) {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const all = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://service.test', ...headers };
  const request = new Request('http://service.test/beta', { method: 'POST', headers: all, body });
  return await to.api.fetch(request, { incoming: { socket: { remoteAddress: from } } });
}

const waiting = () => service.store.waitlist.list({ status: 'waiting', limit: 1000 });
const newest = async () => (await waiting()).reduce((last, request) => (request.id > last.id ? request : last));

/** Returns everything that a client could use to distinguish two responses. */
async function observable(response: Response) {
  const headers = Object.fromEntries(response.headers);
  delete headers['x-request-id'];
  return { status: response.status, headers, body: await response.text() };
}

describe('the beta form', () => {
  it('stores sanitized values from a complete form', async () => {
    const response = await send({ ...FORM, company: '  Acme\u202e Hardware\0 ', use_case: 'One\r\ntwo\u0007' });
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/beta/received']);
    expect(await newest()).toMatchObject({
      company: 'Acme  Hardware',
      useCase: 'One\ntwo',
      expectedVolume: '2,000 a month',
      email: 'buyer@acme.test',
      founding: false,
    });
    expect((await service.get('/beta/received')).status).toBe(200);
  });

  it('returns the same response for known and new email addresses', async () => {
    const known = await observable(await send({ ...FORM, email: 'known@acme.test' }, { from: '198.51.100.1' }));
    const again = await observable(await send({ ...FORM, email: 'known@acme.test' }, { from: '198.51.100.2' }));
    expect(again).toEqual(known);
    for (const { id } of (await waiting()).filter(({ email }) => email === 'known@acme.test')) {
      await service.store.waitlist.decline(id, { actor: 'test' });
    }
    expect(await observable(await send({ ...FORM, email: 'known@acme.test' }, { from: '198.51.100.3' }))).toEqual(
      known,
    );
  });

  it('returns the same response to a bot that fills in the hidden field, but doesn’t store the submission', async () => {
    const before = await waiting();
    const person = await observable(await send({ ...FORM, website: '' }, { from: '198.51.100.1' }));
    const bot = await observable(await send({ ...FORM, website: 'http://spam.test' }, { from: '198.51.100.2' }));
    expect(bot).toEqual(person);
    expect(await waiting()).toHaveLength(before.length + 1);
  });

  it('marks missing and invalid fields and keeps the submitted values', async () => {
    const before = await waiting();
    for (const field of Object.keys(FORM)) {
      const response = await send({ ...FORM, [field]: ' ' });
      expect(response.status).toBe(422);
      const page = await response.text();
      expect(page.match(/aria-invalid/g)).toHaveLength(1);
      expect(page).toContain(`id="${field}-error"`);
      expect(page).toContain(field === 'company' ? 'buyer@acme.test' : 'Acme Hardware');
    }
    for (const bad of [{ email: 'a@b' }, { email: 'x'.repeat(300) }, { company: 'x'.repeat(201) }]) {
      expect((await send({ ...FORM, ...bad })).status).toBe(422);
      service.time.now += 3_600_000;
    }
    expect((await send('')).status).toBe(422);
    expect(await waiting()).toEqual(before);
  });

  it('accepts 10 submissions per hour per IP address and counts an IPv6 /64 network as one address', async () => {
    const statusesFor = async (froms: string[]) => {
      const statuses: number[] = [];
      for (const from of froms) statuses.push((await send(FORM, { from })).status);
      return statuses;
    };
    expect(await statusesFor(Array(12).fill('198.51.100.9'))).toEqual([...Array(10).fill(303), 429, 429]);
    const network = Array.from({ length: 11 }, (_, i) => `2001:db8:1:2:${i}::1`);
    expect(await statusesFor(network)).toEqual([...Array(10).fill(303), 429]);
    const refused = await send({ ...FORM, company: 'Kept' }, { from: '198.51.100.9' });
    expect(refused.headers.get('Retry-After')).toBe('3600');
    expect(await refused.text()).toContain('value="Kept"');
    expect((await send(FORM, { from: '198.51.100.10' })).status).toBe(303);
    service.time.now += 3_600_000;
    expect((await send(FORM, { from: '198.51.100.9' })).status).toBe(303);
  });

  it('uses X-Forwarded-For only if trusted proxies are configured', async () => {
    const forged = Array.from({ length: 11 }, (_, i) => ({ 'X-Forwarded-For': `192.0.2.${i}` }));
    const finalStatus = async (to: typeof service) => {
      let status = 0;
      for (const headers of forged) status = (await send(FORM, { headers, to })).status;
      return status;
    };
    expect(await finalStatus(service)).toBe(429);
    const behindProxy = await startService({ trustedProxies: 1 });
    expect(await finalStatus(behindProxy)).toBe(303);
    await behindProxy.stop();
  });

  it('rejects forms submitted from another site and forms that are too large', async () => {
    const before = await waiting();
    for (const headers of [{ Origin: 'https://elsewhere.test' }, { Origin: 'null' }, { Origin: '' }]) {
      expect((await send(FORM, { headers })).status).toBe(403);
    }
    expect((await send({ ...FORM, use_case: 'x'.repeat(40_000) })).status).toBe(413);
    expect(await waiting()).toEqual(before);
  });

  it('rejects malformed form bodies without causing internal errors', async () => {
    const types = [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json',
      'text/x',
    ];
    const body = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom('__proto__=1&company=x', 'company=a&company=b', '%', '--x\r\n\r\n--x--', 'company=%00&email=%ff'),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...types), async (text, type) => {
        service.time.now += 3_600_000;
        const response = await send(text, { headers: { 'Content-Type': type } });
        expect([400, 422]).toContain(response.status);
      }),
      { numRuns: 60 },
    );
    expect(service.failures).toEqual([]);
  });

  it('doesn’t show submitted values after an internal error', async () => {
    const broken = await startService();
    await broken.store.close();
    const response = await send(FORM, { to: broken });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/acme|catalog/i);
    expect(broken.failures).toHaveLength(1);
    await broken.stop();
  });
});

describe('each beta form page', () => {
  it('runs no scripts and loads nothing from other sites', async () => {
    for (const path of ['/beta', '/beta/received']) {
      const response = await service.get(path);
      expect(response.headers.get('Content-Security-Policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(await response.text()).not.toMatch(/<script|style=|\son\w+=|https?:\/\/(?!www\.w3\.org)/i);
    }
    const style = await service.get('/assets/style.css');
    expect(style.headers.get('Content-Type')).toMatch(/^text\/css/);
    expect(await style.text()).not.toMatch(/@import|url\(/);
  });
});
