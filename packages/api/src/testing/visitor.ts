import { expect } from 'vitest';
import { SECRET, type startOperatorService } from './operator.ts';

type Service = Awaited<ReturnType<typeof startOperatorService>>;

/** What a request brings, and to which service it goes. */
interface Asking {
  cookie?: string;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  from?: string;
  at?: Service;
}

/** Whoever visits the operator pages: by default those of the service that `usual` gives. */
export function createVisitor(usual: () => Service) {
  /** A request as a browser on a page of the service sends it. */
  async function ask(path: string, { cookie, form, headers, from = '203.0.113.7', at = usual() }: Asking = {}) {
    const request = new Request(`http://service.test${path}`, {
      method: form ? 'POST' : 'GET',
      headers: {
        ...(cookie && { Cookie: cookie }),
        ...(form && { Origin: 'http://service.test', 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    return await at.api.fetch(request, { incoming: { socket: { remoteAddress: from } } });
  }

  /** The cookie and the token of a form to sign in. */
  async function openForm(at: Service = usual()) {
    const response = await ask('/operator/sign-in', { at });
    const [, form_token] = /name="form_token" value="([\w-]+)"/.exec(await response.text())!;
    return { cookie: response.headers.get('Set-Cookie')!.split(';')[0]!, form_token: form_token! };
  }

  async function trySecret(secret: string, { at = usual(), ...asking }: Asking = {}) {
    const { cookie, form_token } = await openForm(at);
    return await ask('/operator/sign-in', { form: { secret, form_token }, cookie, at, ...asking });
  }

  /** Signs in; gives the cookie and the token of its forms. */
  async function signIn(at: Service = usual()) {
    const response = await trySecret(SECRET, { at });
    expect(response.headers.get('Location')).toBe('/operator/keys');
    const [cookie] = response.headers.get('Set-Cookie')!.split(';');
    const page = await (await ask('/operator/keys', { cookie: cookie!, at })).text();
    const [, token] = /name="form_token" value="(\w+)"/.exec(page)!;
    return { cookie: cookie!, token: token! };
  }

  return { ask, openForm, trySecret, signIn };
}
