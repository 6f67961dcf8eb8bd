import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECRET, startOperatorService } from '../testing/operator.ts';
import { createVisitor } from '../testing/visitor.ts';

let service: Awaited<ReturnType<typeof startOperatorService>>;
const { ask, openForm, trySecret, signIn } = createVisitor(() => service);
beforeAll(async () => {
  service = await startOperatorService();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.time.now += 86_400_000;
});

describe('the session’s cookie', () => {
  it('is out of reach of scripts and other sites, and on https only goes over https', async () => {
    const [, ...plain] = (await trySecret(SECRET)).headers.get('Set-Cookie')!.split('; ');
    expect(plain.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict']);

    const secure = await startOperatorService({ baseUrl: 'https://compliance.example' });
    const headers = { Origin: 'https://compliance.example' };
    const response = await trySecret(SECRET, { at: secure, headers });
    const [cookie, ...rest] = response.headers.get('Set-Cookie')!.split('; ');
    expect(cookie).toMatch(/^__Host-operator=[\w-]{43}$/);
    expect(rest.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
    expect(response.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    expect((await ask('/operator/keys', { at: secure, cookie: cookie! })).status).toBe(200);
    const renamed = cookie!.replace('__Host-', '');
    expect((await ask('/operator/keys', { at: secure, cookie: renamed })).status).toBe(303);
    expect((await trySecret(SECRET, { at: secure })).status).toBe(403);
    await secure.stop();
  });

  it('is another one after each sign-in, and none before', async () => {
    const { cookie } = await openForm();
    expect(cookie).toMatch(/^operator-form=[\w-]{36}$/);
    expect((await ask('/operator/keys', { cookie: cookie.replace('-form', '') })).status).toBe(303);
    expect((await trySecret('wrong')).headers.get('Set-Cookie')).toBeNull();
    expect((await signIn()).cookie).not.toBe((await signIn()).cookie);
  });

  it('is worth nothing after signing out, and under another secret', async () => {
    const { cookie, token } = await signIn();
    const operator = { secretHash: 'another hash', verify: async () => false };
    const changed = await startOperatorService({ store: service.store, operator });
    expect((await ask('/operator/keys', { cookie, at: changed })).status).toBe(303);
    expect((await ask('/operator/keys', { cookie })).status).toBe(200);
    const out = await ask('/operator/sign-out', { cookie, form: { form_token: token } });
    expect(out.headers.get('Set-Cookie')).toMatch(/^operator=; Max-Age=0/);
    expect((await ask('/operator/keys', { cookie })).status).toBe(303);
    await changed.stop();
  });
});

describe('the form to sign in', () => {
  it('counts for nothing unless the browser that sends it has opened it', async () => {
    const [mine, other] = [await openForm(), await openForm()];
    const from = '198.51.100.77';
    const right = { secret: SECRET, form_token: mine.form_token };
    for (const [cookie, form] of [
      ['', right],
      ['operator-form=', { secret: SECRET, form_token: '' }],
      [mine.cookie, { secret: SECRET }],
      [mine.cookie, { secret: SECRET, form_token: '' }],
      [mine.cookie, { secret: SECRET, form_token: other.form_token }],
      [other.cookie, right],
      [other.cookie, { secret: 'wrong', form_token: mine.form_token }],
    ] as [string, Record<string, string>][]) {
      const response = await ask('/operator/sign-in', { cookie, form, from });
      expect([cookie, response.status, response.headers.get('Set-Cookie')]).toEqual([cookie, 403, null]);
    }
    const strange = { Origin: 'https://elsewhere.test' };
    const foreign = await ask('/operator/sign-in', { cookie: mine.cookie, form: right, headers: strange, from });
    expect(foreign.status).toBe(403);
    // More than five were refused, and none of them was a guess.
    expect((await ask('/operator/sign-in', { cookie: mine.cookie, form: right, from })).status).toBe(303);
  });

  it('stays one form in all tabs of a browser, and on https comes from this host alone', async () => {
    const { cookie, form_token } = await openForm();
    const again = await ask('/operator/sign-in', { cookie });
    expect(again.headers.get('Set-Cookie')).toBeNull();
    expect(await again.text()).toContain(form_token);
    const planted = await ask('/operator/sign-in', { cookie: 'operator-form="><b>' });
    expect(planted.headers.get('Set-Cookie')).toMatch(/^operator-form=[\w-]{36}; Path=\/; HttpOnly; SameSite=Strict$/);
    const secure = await startOperatorService({ baseUrl: 'https://compliance.example' });
    expect((await openForm(secure)).cookie).toMatch(/^__Host-operator-form=/);
    await secure.stop();
  });
});

describe('guessing the secret', () => {
  it('ends after five tries from one address, also for who then knows it; others are let in', async () => {
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

  it('gains nothing by trying many at once: only five are looked at', async () => {
    let looked = 0;
    const verify = async (secret: string) => {
      looked++;
      return secret === SECRET;
    };
    const counting = await startOperatorService({ operator: { secretHash: 'h', verify } });
    const guesses = Array.from({ length: 40 }, (_, i) => trySecret(`guess ${i}`, { at: counting }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect([statuses.filter(status => status === 401).length, looked]).toEqual([5, 5]);
    await counting.stop();
  });

  it('from many addresses at once makes the operator wait and never keeps the door shut', async () => {
    let [looking, most] = [0, 0];
    const verify = async (secret: string) => {
      most = Math.max(most, ++looking);
      await new Promise(resolve => setTimeout(resolve, 1));
      looking--;
      if (secret === 'breaks') throw new Error('broken');
      return secret === SECRET;
    };
    const crowded = await startOperatorService({ operator: { secretHash: 'h', verify } });
    const crowd = Array.from({ length: 200 }, (_, i) =>
      trySecret(i === 7 ? 'breaks' : `guess ${i}`, { at: crowded, from: `198.51.${i}.1` }),
    );
    const operator = trySecret(SECRET, { at: crowded });
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(statuses.filter(status => status === 401)).toHaveLength(199);
    expect([(await operator).status, most]).toEqual([303, 1]);
    await crowded.stop();
  });

  it('counts a whole /64 as one address, and starts anew after the right one', async () => {
    const from = (i: number) => `2001:db8:1:2::${i + 1}`;
    for (let guess = 0; guess < 4; guess++) await trySecret('wrong', { from: from(guess) });
    expect((await trySecret(SECRET, { from: from(4) })).status).toBe(303);
    for (let guess = 0; guess < 5; guess++) {
      expect((await trySecret('wrong', { from: from(guess) })).status).toBe(401);
    }
    expect((await trySecret(SECRET, { from: from(9) })).status).toBe(429);
  });

  it('tells nothing: an empty, a long and an almost right one get the same page', async () => {
    const { cookie, form_token } = await openForm();
    const pages = await Promise.all(
      ['', 'x'.repeat(10_000), SECRET.slice(0, -1)].map(async (secret, i) => {
        const form = { secret, form_token };
        const response = await ask('/operator/sign-in', { form, cookie, from: `192.0.2.${i}` });
        return [response.status, await response.text()];
      }),
    );
    expect(new Set(pages.map(page => JSON.stringify(page))).size).toBe(1);
    expect(JSON.stringify(pages)).not.toContain(SECRET.slice(0, -1));
  });
});
