import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOperatorClient } from '../testing/operator-client.ts';
import { SECRET, startOperatorService } from '../testing/operator-service.ts';

let service: Awaited<ReturnType<typeof startOperatorService>>;
const { send, openForm, trySecret, signIn } = createOperatorClient(() => service);
beforeAll(async () => {
  service = await startOperatorService();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.time.now += 86_400_000;
});

describe('the session cookie', () => {
  it('marks session cookies as HttpOnly and SameSite=Strict and, over HTTPS, as Secure and host-bound', async () => {
    const [, ...attributes] = (await trySecret(SECRET)).headers.get('Set-Cookie')!.split('; ');
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict']);

    const secure = await startOperatorService({ baseUrl: 'https://compliance.example' });
    const headers = { Origin: 'https://compliance.example' };
    const response = await trySecret(SECRET, { at: secure, headers });
    const [cookie, ...rest] = response.headers.get('Set-Cookie')!.split('; ');
    expect(cookie).toMatch(/^__Host-operator=[\w-]{43}$/);
    expect(rest.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
    expect(response.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    expect((await send('/operator/keys', { at: secure, cookie: cookie! })).status).toBe(200);
    const renamed = cookie!.replace('__Host-', '');
    expect((await send('/operator/keys', { at: secure, cookie: renamed })).status).toBe(303);
    expect((await trySecret(SECRET, { at: secure })).status).toBe(403);
    await secure.stop();
  });

  it('sets a new session cookie after each successful sign-in but not after a failed sign-in', async () => {
    const { cookie } = await openForm();
    expect(cookie).toMatch(/^operator-form=[\w-]{36}$/);
    expect((await send('/operator/keys', { cookie: cookie.replace('-form', '') })).status).toBe(303);
    expect((await trySecret('wrong')).headers.get('Set-Cookie')).toBeNull();
    expect((await signIn()).cookie).not.toBe((await signIn()).cookie);
  });

  it('invalidates the session cookie when the operator signs out or the secret changes', async () => {
    const { cookie, token } = await signIn();
    const operator = { secretHash: 'another hash', verify: async () => false };
    const changed = await startOperatorService({ store: service.store, operator });
    expect((await send('/operator/keys', { cookie, at: changed })).status).toBe(303);
    expect((await send('/operator/keys', { cookie })).status).toBe(200);
    const out = await send('/operator/sign-out', { cookie, form: { form_token: token } });
    expect(out.headers.get('Set-Cookie')).toMatch(/^operator=; Max-Age=0/);
    expect((await send('/operator/keys', { cookie })).status).toBe(303);
    await changed.stop();
  });
});

describe('the sign-in form', () => {
  it('rejects a sign-in form unless it was opened in the same browser', async () => {
    const [mine, other] = [await openForm(), await openForm()];
    const from = '198.51.100.77';
    const correct = { secret: SECRET, form_token: mine.form_token };
    for (const [cookie, form] of [
      ['', correct],
      ['operator-form=', { secret: SECRET, form_token: '' }],
      [mine.cookie, { secret: SECRET }],
      [mine.cookie, { secret: SECRET, form_token: '' }],
      [mine.cookie, { secret: SECRET, form_token: other.form_token }],
      [other.cookie, correct],
      [other.cookie, { secret: 'wrong', form_token: mine.form_token }],
    ] as [string, Record<string, string>][]) {
      const response = await send('/operator/sign-in', { cookie, form, from });
      expect([cookie, response.status, response.headers.get('Set-Cookie')]).toEqual([cookie, 403, null]);
    }
    const crossSite = { Origin: 'https://elsewhere.test' };
    const rejected = await send('/operator/sign-in', { cookie: mine.cookie, form: correct, headers: crossSite, from });
    expect(rejected.status).toBe(403);
    // Rejected forms don't count as sign-in attempts, so seven of them don't cause a lockout.
    expect((await send('/operator/sign-in', { cookie: mine.cookie, form: correct, from })).status).toBe(303);
  });

  it('shares the CSRF token across browser tabs and sets a host-bound cookie over HTTPS', async () => {
    const { cookie, form_token } = await openForm();
    const again = await send('/operator/sign-in', { cookie });
    expect(again.headers.get('Set-Cookie')).toBeNull();
    expect(await again.text()).toContain(form_token);
    const planted = await send('/operator/sign-in', { cookie: 'operator-form="><b>' });
    expect(planted.headers.get('Set-Cookie')).toMatch(/^operator-form=[\w-]{36}; Path=\/; HttpOnly; SameSite=Strict$/);
    const secure = await startOperatorService({ baseUrl: 'https://compliance.example' });
    expect((await openForm(secure)).cookie).toMatch(/^__Host-operator-form=/);
    await secure.stop();
  });
});

describe('the sign-in lockout', () => {
  it('rejects even the correct secret from an IP address after five failed attempts, but accepts it from other addresses', async () => {
    const from = '198.51.100.1';
    for (let guess = 0; guess < 5; guess++) expect((await trySecret(`guess ${guess}`, { from })).status).toBe(401);
    const locked = await trySecret(SECRET, { from });
    expect([locked.status, locked.headers.get('Retry-After')]).toEqual([429, '900']);
    expect(locked.headers.get('Set-Cookie')).toBeNull();
    expect((await trySecret(SECRET, { from: '198.51.100.2' })).status).toBe(303);
    service.time.now += 15 * 60_000;
    expect((await trySecret(SECRET, { from })).status).toBe(303);
    const log = await service.store.audit.list({ limit: 5 });
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['operator.sign_in', 'operator.lock_out', 'operator.sign_in']),
    );
    expect(
      log.filter(({ action, at }) => action === 'operator.lock_out' && at > service.time.now - 3_600_000),
    ).toHaveLength(1);
  });

  it('checks the secret for only five of many simultaneous sign-in attempts', async () => {
    let verified = 0;
    const verify = async (secret: string) => {
      verified++;
      return secret === SECRET;
    };
    const counting = await startOperatorService({ operator: { secretHash: 'h', verify } });
    const guesses = Array.from({ length: 40 }, (_, i) => trySecret(`guess ${i}`, { at: counting }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect([statuses.filter(status => status === 401).length, verified]).toEqual([5, 5]);
    await counting.stop();
  });

  it('delays but never locks out the operator during sign-in attempts from many IP addresses', async () => {
    let [concurrent, maxConcurrent] = [0, 0];
    const verify = async (secret: string) => {
      maxConcurrent = Math.max(maxConcurrent, ++concurrent);
      await new Promise(resolve => setTimeout(resolve, 1));
      concurrent--;
      if (secret === 'breaks') throw new Error('broken');
      return secret === SECRET;
    };
    const busy = await startOperatorService({ operator: { secretHash: 'h', verify } });
    const guesses = Array.from({ length: 200 }, (_, i) =>
      trySecret(i === 7 ? 'breaks' : `guess ${i}`, { at: busy, from: `198.51.${i}.1` }),
    );
    const operator = trySecret(SECRET, { at: busy });
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter(status => status === 401)).toHaveLength(199);
    expect([(await operator).status, maxConcurrent]).toEqual([303, 1]);
    await busy.stop();
  });

  it('counts an IPv6 /64 network as one IP address and resets the count after a successful sign-in', async () => {
    const from = (i: number) => `2001:db8:1:2::${i + 1}`;
    for (let guess = 0; guess < 4; guess++) await trySecret('wrong', { from: from(guess) });
    expect((await trySecret(SECRET, { from: from(4) })).status).toBe(303);
    for (let guess = 0; guess < 5; guess++) {
      expect((await trySecret('wrong', { from: from(guess) })).status).toBe(401);
    }
    expect((await trySecret(SECRET, { from: from(9) })).status).toBe(429);
  });

  it('returns the same page for any incorrect secret, whether empty, long, or almost correct', async () => {
    const { cookie, form_token } = await openForm();
    const pages = await Promise.all(
      ['', 'x'.repeat(10_000), SECRET.slice(0, -1)].map(async (secret, i) => {
        const form = { secret, form_token };
        const response = await send('/operator/sign-in', { form, cookie, from: `192.0.2.${i}` });
        return [response.status, await response.text()];
      }),
    );
    expect(new Set(pages.map(page => JSON.stringify(page))).size).toBe(1);
    expect(JSON.stringify(pages)).not.toContain(SECRET.slice(0, -1));
  });
});
