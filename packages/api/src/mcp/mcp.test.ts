import { request } from 'node:http';
import { SAMPLE_REQUEST } from '@compliance/core/entry';
import { callEveryTool, connect, REVISIONS, textOf } from '@compliance/mcp/testing';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../testing/listen.ts';
import { startService } from '../testing/service.ts';

let service: Awaited<ReturnType<typeof startListening>>;
let clients: Client[] = [];

const startListening = async () => await listen(await startService());

beforeAll(async () => {
  service = await startListening();
});
afterAll(() => service.stop());
beforeEach(() => {
  // Start each test in new rate limit windows, including the windows for requests to storefronts.
  service.time.now += 60_000;
  return async () => {
    await Promise.all(clients.map(client => client.close()));
    clients = [];
  };
});

async function connectWith(key: string, mode?: keyof typeof REVISIONS): Promise<Client> {
  const url = new URL('/mcp', service.base);
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const client = await connect(new StreamableHTTPClientTransport(url, { requestInit }), mode);
  clients.push(client);
  return client;
}

/** Returns a tool call in the previous protocol revision, which doesn't require additional headers. */
const call = (name: string, args: unknown = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: args },
});
const LOOKUP = call('lookup', { codes: ['7318.15.2061'], as_of: '2026-10-01' });
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.base}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const keyed = async (...issued: Parameters<typeof service.issue>) => ({
  Authorization: `Bearer ${await service.issue(...issued)}`,
});

const remainingIn = (headers: Headers) => Number(/^"minute";r=(\d+)/.exec(headers.get('RateLimit')!)![1]);

describe('the MCP server over HTTP', () => {
  it.each(Object.entries(REVISIONS))(
    'returns a valid result from every tool to a client in %s mode (revision %s)',
    async mode => {
      const client = await connectWith(await service.issue(), mode as keyof typeof REVISIONS);
      const certify = async (request: Record<string, unknown>) => {
        const { structuredContent } = await client.callTool({ name: 'certify', arguments: request });
        return (structuredContent as { gcc_id: string }).gcc_id;
      };
      const gcc = await certify(SAMPLE_REQUEST);
      const cpc = await certify({
        ...SAMPLE_REQUEST,
        ...{ certificate_type: 'CPC', age_grading: { marketing: 'children' } },
      });
      await callEveryTool(client, { stored: { gcc, cpc } });
    },
  );

  it('stores the certificate that a tool issues, and links to its PDF', async () => {
    const client = await connectWith(await service.issue('entry'));
    const result = await client.callTool({ name: 'certify', arguments: SAMPLE_REQUEST });
    const { gcc_id, gcc_pdf_url } = result.structuredContent as Record<string, string>;
    expect(result.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: gcc_pdf_url }));
    expect((await service.store.certificates.get(gcc_id!))?.status).toBe('draft');
  });

  it('attaches files sent in the arguments, but never reads files by name', async () => {
    const client = await connectWith(await service.issue('entry'));
    const certify = async (attachment: object) =>
      await client.callTool({ name: 'certify', arguments: { ...SAMPLE_REQUEST, attachments: [attachment] } });
    const issued = await certify({ filename: 'report.pdf', content: 'JVBERi0xLjcK' });
    expect(issued.structuredContent).toMatchObject({ attachments: [{ filename: 'report.pdf', size: 9 }] });
    for (const filename of ['report.pdf', '/etc/hostname'])
      expect(await certify({ filename })).toMatchObject({
        isError: true,
        _meta: {
          error: { issues: expect.arrayContaining([expect.objectContaining({ path: 'attachments.0.content' })]) },
        },
      });
  });

  it('issues a Children’s Product Certificate if the request specifies that type', async () => {
    const client = await connectWith(await service.issue('entry'));
    const args = { ...SAMPLE_REQUEST, certificate_type: 'CPC', age_grading: { marketing: 'children' } };
    const { structuredContent } = await client.callTool({ name: 'certify', arguments: args });
    expect(structuredContent).toMatchObject({ certificate_type: 'CPC' });
  });

  it('serves resources and prompts', async () => {
    const client = await connectWith(await service.issue('tariff'));
    const { contents } = await client.readResource({ uri: 'compliance://lists/steel-16c-iv' });
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', text: expect.stringContaining('current through') });
    expect((await client.listPrompts()).prompts).toHaveLength(3);
    await expect(client.readResource({ uri: 'compliance://lists/..%2f..%2fsecret' })).rejects.toThrow('not found');
  });

  it('rejects requests without a valid key and includes the authentication challenge that clients need', async () => {
    for (const headers of [{}, { Authorization: 'Bearer cmpl_live_all_wrong' }, { Authorization: 'Basic eA==' }]) {
      const rejected = await post(LIST, headers as Record<string, string>);
      expect(rejected).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
      expect(rejected.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
    await expect(connectWith('cmpl_live_all_wrong')).rejects.toThrow(/401|authoriz/i);
  });

  it('rejects a key without delegate access, as the API does', async () => {
    const headers = await keyed('all', 'no access');
    for (const message of [LOOKUP, LIST]) {
      expect(await post(message, headers)).toMatchObject({ status: 403, body: { error: 'beta' } });
    }
  });

  it('performs only operations within the key’s scope', async () => {
    const client = await connectWith(await service.issue('pixel'));
    const result = await client.callTool({ name: 'lookup', arguments: { codes: ['7318.15'] } });
    expect(result).toMatchObject({ isError: true, _meta: { error: { error: 'scope' } } });
    expect(textOf(result)).toContain('Use a key with the required scope');
    const certify = await client.callTool({ name: 'certify', arguments: SAMPLE_REQUEST });
    expect(certify).toMatchObject({ isError: true, _meta: { error: { error: 'scope' } } });
  });

  it('counts each request once toward the rate limit and records operation usage', async () => {
    const headers = await keyed('tariff');
    const [, key] = headers.Authorization.split(' ');
    const answers = [
      await post(LOOKUP, headers),
      await post(LIST, headers),
      await post(call('explain', { id: 'scope' }), headers),
      await post(call('lookup', { codes: 5 }), headers),
      await post(call('unknown'), headers),
      await post('not JSON', headers),
      await post([LOOKUP, LOOKUP], headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 400]);
    expect(answers.map(answer => remainingIn(answer.headers))).toEqual([99, 98, 97, 96, 95, 94, 93]);
    const { id } = (await service.store.keys.authenticate(key!))!;
    const used = await service.store.usage.daily({ keyId: id, days: 1 });
    expect(used.map(({ operation, count }) => [operation, count])).toEqual([['tariff.hts.lookup', 1]]);
  });

  it('returns the time to wait if the rate limit is exceeded', async () => {
    const headers = await keyed();
    const { family } = (await service.store.keys.authenticate(headers.Authorization.slice(7)))!;
    await service.store.limits.take(family, undefined, 100);
    const limited = await post(LOOKUP, headers);
    expect(limited.status).toBe(200);
    expect(limited.body.result).toMatchObject({
      isError: true,
      _meta: { error: { error: 'rate_limited', retry_after: 60 } },
      content: [{ text: expect.stringContaining('Retry after 60 seconds.') }],
    });
    expect(limited.headers.get('Retry-After')).toBe('60');
    for (const message of [LIST, call('explain', { id: 'scope' }), call('lookup', { codes: 5 }), 'not JSON']) {
      const rejected = await post(message, headers);
      expect(rejected).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
      expect(rejected.headers.get('Retry-After')).toBe('60');
    }
    service.time.now += 60_000;
    expect((await post(LOOKUP, headers)).body.result.structuredContent.results).toMatchObject([{ status: 'hit' }]);
  });

  it('reports why a page can’t be scanned', async () => {
    const client = await connectWith(await service.issue('pixel'));
    const result = await client.callTool({ name: 'scan', arguments: { url: 'http://169.254.169.254/' } });
    expect(result).toMatchObject({
      isError: true,
      _meta: { error: { error: 'scan_failed', reason: 'refused_address' } },
    });
    const unknown = await client.callTool({ name: 'scan', arguments: { url: 'https://shop.example/', html: '<p>' } });
    expect(textOf(unknown)).toContain('html');
  });

  it('rejects malformed, oversized, and deeply nested requests, and ignores __proto__ fields', async () => {
    const headers = await keyed();
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect((await post(LIST, { ...headers, 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await post({ ...LOOKUP, padding: 'x'.repeat(300_000) }, headers)).status).toBe(413);
    expect((await post(deep, headers)).status).toBe(400);
    expect((await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}`, headers)).status).toBe(400);
    for (const message of ['null', '5', '{}', '{"jsonrpc":"2.0","id":{},"method":7}']) {
      expect([message, (await post(message, headers)).status]).toEqual([message, 400]);
    }
    const huge = await post(call('lookup', { codes: Array(30_000).fill('0') }), headers);
    expect(huge.body.result).toMatchObject({ isError: true, _meta: { error: { error: 'invalid_request' } } });
    const polluted = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lookup","arguments":{"codes":["7318.15"],"__proto__":{"as_of":"1"}}}}`;
    expect((await post(polluted, headers)).body.result.structuredContent.list.as_of).toBe('2026-11-21');
    expect(Object.hasOwn(Object.prototype, 'as_of')).toBe(false);
  });

  it('rejects requests from other websites or for other hosts', async () => {
    const strict = await listen(await startService({ baseUrl: 'https://compliance.example' }));
    try {
      const headers = { Authorization: `Bearer ${await strict.issue()}` };
      const statusOf = (names: Record<string, string>) =>
        new Promise<number | undefined>((resolve, reject) => {
          const sent = {
            ...headers,
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
          };
          const options = { method: 'POST', headers: { ...sent, ...names } };
          const outgoing = request(`${strict.base}/mcp`, options, response => {
            response.resume();
            resolve(response.statusCode);
          });
          outgoing.on('error', reject).end(JSON.stringify(LIST));
        });
      expect(await statusOf({ Host: 'compliance.example' })).toBe(200);
      expect(await statusOf({ Host: 'compliance.example', Origin: 'https://compliance.example' })).toBe(200);
      expect(await statusOf({ Host: 'attacker.example' })).toBe(403);
      expect(await statusOf({ Host: 'compliance.example', Origin: 'https://attacker.example' })).toBe(403);
      expect(await statusOf({ Host: 'compliance.example', Origin: 'null' })).toBe(403);
    } finally {
      await strict.stop();
    }
    expect((await post(LIST, { ...(await keyed()), Origin: 'https://attacker.example' })).status).toBe(403);
  });

  it('doesn’t support sessions, streams, or subscriptions', async () => {
    const headers = await keyed();
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${service.base}/mcp`, { method, headers });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
    }
    const client = await connectWith(headers.Authorization.slice(7));
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
  });
});
