import { expect } from 'vitest';
import { SECRET, type startOperatorService } from './operator-service.ts';

type Service = Awaited<ReturnType<typeof startOperatorService>>;

/** Request options, including the service that receives the request. */
interface RequestOptions {
  cookie?: string;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** The client's IP address. */
  from?: string;
  at?: Service;
}

/**
 * Creates a client for the operator pages. By default, the client sends requests to the service that `defaultService`
 * returns.
 */
export function createOperatorClient(defaultService: () => Service) {
  /** Sends a request as a browser would from one of the service's pages. */
  async function send(
    path: string,
    { cookie, form, headers, from = '203.0.113.7', at = defaultService() }: RequestOptions = {},
  ) {
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

  /** Opens the sign-in form. Returns the form's cookie and token. */
  async function openForm(at: Service = defaultService()) {
    const response = await send('/operator/sign-in', { at });
    const [, form_token] = /name="form_token" value="([\w-]+)"/.exec(await response.text())!;
    return { cookie: response.headers.get('Set-Cookie')!.split(';')[0]!, form_token: form_token! };
  }

  async function trySecret(secret: string, { at = defaultService(), ...options }: RequestOptions = {}) {
    const { cookie, form_token } = await openForm(at);
    return await send('/operator/sign-in', { form: { secret, form_token }, cookie, at, ...options });
  }

  /** Signs in as the operator. Returns the session cookie and the session's CSRF token. */
  async function signIn(at: Service = defaultService()) {
    const response = await trySecret(SECRET, { at });
    expect(response.headers.get('Location')).toBe('/operator/keys');
    const [cookie] = response.headers.get('Set-Cookie')!.split(';');
    const page = await (await send('/operator/keys', { cookie: cookie!, at })).text();
    const [, token] = /name="form_token" value="(\w+)"/.exec(page)!;
    return { cookie: cookie!, token: token! };
  }

  return { send, openForm, trySecret, signIn };
}
