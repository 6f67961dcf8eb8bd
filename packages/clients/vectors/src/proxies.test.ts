import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { availableClients, newestOfEachVariant } from './runner/available.ts';
import { KEY } from './runner/case.ts';
import { startCaseServer } from './runner/case-server.ts';
import { PROXIED_HOST, PROXY_LOGIN, startProxy } from './runner/proxy-server.ts';
import { type CaseOutcome, callSpec } from './runner/run-cases.ts';
import { buildFolder, type Runtime } from './runner/runtimes.ts';

const { folder, close } = buildFolder();
const server = await startCaseServer();
const proxy = await startProxy();
const runtimes = newestOfEachVariant((await availableClients(folder)).runtimes);
beforeEach(() => {
  proxy.received.length = 0;
});
afterAll(async () => {
  await Promise.all([server.stop(), proxy.stop()]);
  close();
});

/**
 * Looks up a code with a client behind the proxy. Node reads the proxy variables only if `NODE_USE_ENV_PROXY` is set.
 */
async function lookup(runtime: Runtime, { tls, host, login = PROXY_LOGIN, noProxy = '' }: Setup) {
  const call = 'tariff.hts.lookup';
  const [served] = server.serve([{ id: 'proxied', call, tls, args: {}, answers: [{ echo: true }], expect: {} }]);
  const baseURL = served!.base.replace(/localhost|127\.0\.0\.1/, host);
  const part = { ...callSpec(call), id: 'proxied', args: { codes: ['1'] }, key: KEY, baseURL, allowHttp: true };
  const url = proxy.url(login);
  const env = {
    ...{ HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: noProxy, NODE_USE_ENV_PROXY: '1' },
    // Node 22 warns that its proxy support is experimental, and a client must not print anything.
    NODE_OPTIONS: '--disable-warning=UNDICI-EHPA',
  };
  const plan = { cases: [{ ...part, times: 1, maxRetries: 0, options: {} }] };
  const { proxied } = (await runtime.run(plan, { ...env, http_proxy: url, https_proxy: url, no_proxy: noProxy })) as {
    proxied: CaseOutcome[];
  };
  return { outcome: proxied[0]!, received: served!.received };
}

interface Setup {
  tls: boolean;
  host: string;
  login?: string;
  noProxy?: string;
}

describe.each(runtimes)('$name behind a proxy', runtime => {
  it('sends HTTPS requests through a tunnel so that the proxy sees only the host', async () => {
    const { outcome, received } = await lookup(runtime, { tls: true, host: PROXIED_HOST });
    expect(outcome.error).toBeUndefined();
    expect(received).toHaveLength(1);
    expect(proxy.received).toMatchObject([
      { method: 'CONNECT', target: expect.stringMatching(/^compliance\.test:\d+$/) },
    ]);
    expect(JSON.stringify(proxy.received)).not.toContain(KEY);
  });

  it('sends plain HTTP requests through the proxy', async () => {
    const { outcome, received } = await lookup(runtime, { tls: false, host: PROXIED_HOST });
    expect(outcome.error).toBeUndefined();
    expect(received).toHaveLength(1);
    expect(proxy.received).toHaveLength(1);
  });

  it('connects directly to the hosts in NO_PROXY', async () => {
    const { outcome, received } = await lookup(runtime, { tls: true, host: 'localhost', noProxy: 'localhost' });
    expect(outcome.error).toBeUndefined();
    expect(received).toHaveLength(1);
    expect(proxy.received).toEqual([]);
  });

  it('reports rejected proxy credentials as a connection error that doesn’t contain the password', async () => {
    const { outcome } = await lookup(runtime, { tls: true, host: PROXIED_HOST, login: 'proxy-user:wr0ng-secret' });
    expect(outcome.error?.kinds).toEqual(['connection']);
    expect(outcome.printed).not.toContain('wr0ng-secret');
  });
});
