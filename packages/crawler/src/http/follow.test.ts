import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTarget } from '../address/parse-target.ts';
import { type CrawlLimits, defaultCrawlLimits } from '../limits.ts';
import { certificateFor } from '../testing/certificate.ts';
import { createNetwork, type Network, publicAddress } from '../testing/network.ts';
import { pages, type Reply, redirect } from '../testing/pages.ts';
import { discard, follow } from './follow.ts';
import { openCrawlSession } from './session.ts';

let network: Network;

beforeEach(() => {
  network = createNetwork();
});
afterEach(() => network.close());

async function arrive(address: string, changed: Partial<CrawlLimits> = {}) {
  const limits = { ...defaultCrawlLimits, refusalMs: 0, ...changed };
  const session = openCrawlSession(network.transport, limits, 'test');
  const visited: string[] = [];
  try {
    const answer = await follow(session, parseTarget(address), async url => void visited.push(url.href));
    discard(answer);
    return { url: answer.url.href, status: answer.status, headers: answer.headers, visited };
  } finally {
    await session.guard.agent.destroy();
  }
}

const shop = (replies: Record<string, Reply>) => network.site('shop.example', pages(replies));

describe('redirects', () => {
  it('follows a redirect and checks each hop against robots.txt', async () => {
    await shop({ '/': redirect('/a', 301), '/a': redirect('b', 307), '/b': 'here' });
    const { url, visited } = await arrive('http://shop.example/');
    expect(url).toBe('http://shop.example/b');
    expect(visited).toEqual(['http://shop.example/', 'http://shop.example/a', 'http://shop.example/b']);
  });

  it('follows a redirect to another public site', async () => {
    await network.site('other.example', pages({ '/': 'here' }), '93.184.216.35');
    await shop({ '/': redirect('http://other.example/') });
    expect((await arrive('http://shop.example/')).url).toBe('http://other.example/');
    expect(network.dialed).toEqual([`${publicAddress}:80`, '93.184.216.35:80']);
  });

  it('follows at most five redirects', async () => {
    const chain = Object.fromEntries(Array.from({ length: 30 }, (_, hop) => [`/${hop}`, redirect(`/${hop + 1}`)]));
    await shop({ ...chain, '/30': 'here' });
    expect((await arrive('http://shop.example/25')).url).toBe('http://shop.example/30');
    await expect(arrive('http://shop.example/24')).rejects.toMatchObject({ reason: 'too_many_redirects' });
    await expect(arrive('http://shop.example/0')).rejects.toMatchObject({ reason: 'too_many_redirects' });
    expect(network.dialed.length).toBeLessThanOrEqual(6 * 3);
  });

  it('stops at a redirect loop before reaching the redirect limit', async () => {
    await shop({ '/': redirect('/a'), '/a': redirect('/') });
    await expect(arrive('http://shop.example/', { redirects: 1_000 })).rejects.toMatchObject({
      reason: 'too_many_redirects',
    });
    expect(network.dialed.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data/'],
    ['http://[::ffff:a9fe:a9fe]/'],
    ['http://127.0.0.1/'],
    ['http://2130706433/'],
    ['//localhost/'],
    ['http://inside.example/', 'unreachable'],
    ['file:///etc/passwd'],
    ['gopher://shop.example/'],
    ['javascript:alert(1)'],
    ['http://shop.example:6379/'],
    ['http://user:password@shop.example/'],
    ['http://[broken'],
  ])('rejects a redirect to %s without connecting', async (location, reason = 'refused_address') => {
    network.names.set('inside.example', ['10.0.0.1']);
    await shop({ '/': redirect(location) });
    await expect(arrive('http://shop.example/')).rejects.toMatchObject({ reason });
    expect(network.dialed).toEqual([`${publicAddress}:80`]);
  });

  it('requests the target over HTTPS if an HTTPS URL redirects to an HTTP URL', async () => {
    const certificate = await certificateFor('shop.example', { trusted: true });
    const listener = pages({ '/': redirect('http://shop.example/a'), '/a': 'here' });
    await network.secureSite('shop.example', certificate, listener);
    expect((await arrive('https://shop.example/')).url).toBe('https://shop.example/a');
    expect(new Set(network.dialed)).toEqual(new Set([`${publicAddress}:443`]));
  });

  it('ignores redirects in a Refresh header or meta element', async () => {
    await shop({
      '/': {
        headers: { refresh: '0; url=http://169.254.169.254/' },
        body: '<meta http-equiv="refresh" content="0; url=http://169.254.169.254/">',
      },
    });
    expect((await arrive('http://shop.example/')).url).toBe('http://shop.example/');
  });

  it('never sends cookies', async () => {
    const cookies: unknown[] = [];
    await network.site('shop.example', (request, response) => {
      cookies.push(request.headers.cookie, request.headers.referer);
      const location = request.url === '/' ? { location: '/a' } : {};
      response.writeHead(request.url === '/' ? 302 : 200, { ...location, 'set-cookie': 'id=1' }).end();
    });
    const { headers } = await arrive('http://shop.example/');
    expect(cookies).toEqual([undefined, undefined, undefined, undefined]);
    expect(headers).not.toHaveProperty('set-cookie');
  });
});

describe('proxy environment variables', () => {
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  afterEach(() => {
    for (const name of names) delete process.env[name];
  });

  it('never uses a proxy set in the environment', async () => {
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : 'http://127.0.0.1:9/';
    await shop({ '/': 'here' });
    expect((await arrive('http://shop.example/')).status).toBe(200);
  });
});

describe('unusual response headers', () => {
  it('fails with `too_large` for a megabyte of headers', async () => {
    await network.rawSite('flood.example', socket => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}\r\n\r\n`);
    });
    await expect(arrive('http://flood.example/')).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('fails with `too_large` if a response has ten thousand headers', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `x${index}: 1\r\n`).join('');
    await network.rawSite('flood.example', socket => socket.write(`HTTP/1.1 200 OK\r\n${many}\r\n`));
    await expect(arrive('http://flood.example/')).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('fails with `timed_out` if the headers don’t arrive within their time limit', async () => {
    await network.site('silent.example', () => {});
    await expect(arrive('http://silent.example/', { headersMs: 50 })).rejects.toMatchObject({ reason: 'timed_out' });
  });

  it('fails with `timed_out` if the headers arrive one byte at a time', async () => {
    await network.rawSite('drip.example', socket => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      const drip = setInterval(() => socket.write('a'), 5);
      socket.on('close', () => clearInterval(drip));
    });
    await expect(arrive('http://drip.example/', { headersMs: 300 })).rejects.toMatchObject({ reason: 'timed_out' });
    await expect(arrive('http://drip.example/', { totalMs: 300 })).rejects.toMatchObject({ reason: 'timed_out' });
  });

  it('fails with `timed_out` if the server never stops sending interim responses', async () => {
    await network.rawSite('hints.example', socket => {
      const hints = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(hints));
    });
    await expect(arrive('http://hints.example/', { totalMs: 300 })).rejects.toMatchObject({ reason: 'timed_out' });
  });

  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['two Content-Length headers', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['an invalid status line', 'HTTP/1.1 abc\r\n\r\n'],
    ['a connection that closes immediately', ''],
  ])('fails with `broken_response` for this response: %s', async (_, bytes) => {
    await network.rawSite('broken.example', socket => socket.end(bytes));
    await expect(arrive('http://broken.example/')).rejects.toMatchObject({ reason: 'broken_response' });
  });

  it('replaces control characters in headers with spaces', async () => {
    await network.rawSite('control.example', socket =>
      socket.end('HTTP/1.1 200 OK\r\nx-note: a\tb\x80c\r\ncontent-length: 0\r\n\r\n', 'latin1'),
    );
    expect((await arrive('http://control.example/')).headers['x-note']).toBe('a b c');
  });

  it('treats __proto__ like any other header name', async () => {
    await network.rawSite('proto.example', socket =>
      socket.end('HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n'),
    );
    const { headers } = await arrive('http://proto.example/');
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
    expect(headers.constructor).toBe('y');
  });
});
