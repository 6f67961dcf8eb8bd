import type { RequestListener } from 'node:http';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCrawler } from '../crawler.ts';
import { defaultCrawlLimits } from '../limits.ts';
import { createPool } from '../pool/index.ts';
import { createTargetRate, type TargetRate } from '../rate/target-rate.ts';
import type { ScannerOptions } from '../scan/admit-scan.ts';
import { createSiteScanner } from '../site/site-scanner.ts';
import { createNetwork, type Network, publicAddress } from '../testing/network.ts';
import { pages } from '../testing/pages.ts';
import { createBudget } from './budget.ts';

const victimAddress = '93.184.216.99';
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 100 });
let network: Network;
/** Each request's host, and the IP address of the server that received the request. */
let requests: { host: string; address: string }[];

beforeEach(() => {
  network = createNetwork();
  requests = [];
});
afterEach(() => network.close());
afterAll(() => pool.close());

const options = (more: Partial<ScannerOptions> = {}): ScannerOptions => ({
  ...{ contact: 'https://scanner.example/about', pool, limits: { refusalMs: 10 } },
  ...more,
});

async function server(address: string, hostnames: readonly string[], reply: RequestListener) {
  await network.site(
    hostnames[0]!,
    (request, response) => {
      requests.push({ host: request.headers.host ?? '', address });
      reply(request, response);
    },
    address,
  );
  for (const hostname of hostnames) network.names.set(hostname, [address]);
}

/** Returns the total number of requests and the numbers of requests to the busiest hostname and the busiest address. */
function traffic() {
  const most = (name: 'host' | 'address') =>
    Math.max(...requests.map(one => requests.filter(other => other[name] === one[name]).length));
  return { all: requests.length, host: most('host'), address: most('address') };
}

const tags = (urls: readonly string[]) => urls.map(url => `<script src="${url}"></script>`).join('');
const twenty = Array.from({ length: 20 }, (_, i) => i);

/** Responds to every path, including robots.txt, with a redirect to a new path on the victim's next hostname. */
const redirectForever =
  (hostnames: readonly string[]): RequestListener =>
  (request, response) => {
    const next = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0) + 1;
    const robots = request.url?.startsWith('/robots') ? 'robots' : 'next';
    response.writeHead(302, { location: `http://${hostnames[next % hostnames.length]}/${robots}${next}` }).end();
  };

const oneHost = ['victim.example'];
const manyHosts = twenty.map(i => `h${i}.victim.example`);
const manyDomains = twenty.map(i => `victim${i}.evil.example`);

describe('request budget for a hostile page', () => {
  const page: Record<string, { hosts: readonly string[]; home: string }> = {
    'twenty scripts that redirect to the victim, whose robots.txt files redirect too': {
      hosts: oneHost,
      home: tags(twenty.map(i => `/to/${oneHost[0]}/${i}`)),
    },
    'scripts on twenty hosts with one address, whose robots.txt files redirect from host to host': {
      hosts: manyDomains,
      home: tags(manyDomains.map((host, i) => `http://${host}/${i}`)),
    },
    'scripts that redirect to twenty hosts of the victim': {
      hosts: manyHosts,
      home: tags(manyHosts.map((host, i) => `/to/${host}/${i}`)),
    },
    'links and scripts that lead back to the victim': {
      hosts: oneHost,
      home: `${tags(twenty.map(i => `/to/${oneHost[0]}/${i}`))}${twenty.map(i => `<a href="/products/${i}"></a><a href="/collections/${i}"></a>`)}`,
    },
  };

  const cases = Object.keys(page).flatMap(name => [[name, 'page'] as const, [name, 'site'] as const]);
  it.each(cases)(
    'sends at most 40 requests in total and 25 to any one host or address: %s (%s scan)',
    async (name, kind) => {
      const { hosts, home } = page[name]!;
      await server(victimAddress, hosts, redirectForever(hosts));
      await server(publicAddress, ['evil.example'], (request, response) => {
        const to = /^\/to\/(.*)$/.exec(request.url ?? '')?.[1];
        if (to) response.writeHead(302, { location: `http://${to}` }).end();
        else pages({ '/': home, ...Object.fromEntries(twenty.map(i => [`/products/${i}`, home])) })(request, response);
      });
      if (kind === 'page') await createCrawler(network.transport)('http://evil.example/', options());
      else await createSiteScanner(network.transport, options())('http://evil.example/', { asOf: '2026-11-21' });
      const { all, host, address } = traffic();
      expect(all).toBeLessThanOrEqual(40);
      expect(host).toBeLessThanOrEqual(25);
      expect(address).toBeLessThanOrEqual(25);
      expect(requests.some(one => one.address === victimAddress)).toBe(true);
    },
  );

  it('adds a note to the capture for each script that exceeds the budget', async () => {
    await server(victimAddress, oneHost, redirectForever(oneHost));
    await server(publicAddress, ['evil.example'], (request, response) => {
      const to = /^\/to\/(.*)$/.exec(request.url ?? '')?.[1];
      if (to) response.writeHead(302, { location: `http://${to}` }).end();
      else pages({ '/': tags(twenty.map(i => `/to/${oneHost[0]}/${i}`)) })(request, response);
    });
    const { notes } = await createCrawler(network.transport)('http://evil.example/', options());
    expect(notes).toHaveLength(20);
    expect(notes.every(({ code }) => code === 'script_not_read')).toBe(true);
    expect(notes.map(({ reason }) => reason)).toContain('over_limit');
  });
});

describe('an ordinary page', () => {
  it('stays within the budget with twenty scripts, even if the scripts are on five hosts and the page URL redirects twice', async () => {
    const assets = twenty.map(i => `http://${i % 5 === 0 ? '' : `cdn${i % 5}.`}shop.example/${i}.js`);
    const cdns = [1, 2, 3, 4].map(i => `cdn${i}.shop.example`);
    const script = { headers: { 'content-type': 'text/javascript' }, body: '1' };
    const files = Object.fromEntries(twenty.map(i => [`/${i}.js`, script]));
    await server('93.184.216.35', cdns, pages(files));
    await server(publicAddress, ['shop.example'], pages({ ...files, '/': tags(assets) }));
    const moved: RequestListener = (request, response) =>
      response
        .writeHead(301, {
          location: `http://${request.headers.host === 'old.example' ? 'www.' : ''}shop.example${request.url}`,
        })
        .end();
    await server('93.184.216.36', ['old.example', 'www.shop.example'], moved);
    const { scripts, notes } = await createCrawler(network.transport)('http://old.example/', options());
    expect(notes).toEqual([]);
    expect(scripts).toHaveLength(20);
    // The first robots.txt request is redirected to the next two hosts' robots.txt files,
    // so those files aren't fetched again.
    expect(traffic().all).toBe(20 + 3 + 3 + 4);
  });
});

describe('the budget', () => {
  it('never exceeds its limits and never rejects a request that the limits allow', () => {
    const host = fc.constantFrom('a', 'b', 'c');
    const address = fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2', '2001:db8:1::1');
    const request = fc.record({ host, addresses: fc.array(address, { maxLength: 3 }), reserved: fc.nat({ max: 3 }) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), sent => {
        const budget = createBudget({ ...defaultCrawlLimits, requests: 12, requestsPerHost: 5 });
        const counted: { host: string; networks: Set<string> }[] = [];
        for (const { host, addresses, reserved } of sent) {
          const networks = new Set(addresses.map(one => (one.includes(':') ? one.split('::')[0]! : one)));
          const busiest = Math.max(
            counted.filter(one => one.host === host).length,
            ...[...networks].map(network => counted.filter(one => one.networks.has(network)).length),
          );
          const isAllowed = counted.length + reserved < 12 && busiest + reserved < 5;
          budget.reserve(reserved);
          if (isAllowed) {
            budget.countRequest(host, addresses);
            counted.push({ host, networks });
          } else expect(() => budget.countRequest(host, addresses)).toThrow('limit');
        }
      }),
    );
  });
});

describe('the rate limit per target', () => {
  const shop = () => server(publicAddress, ['shop.example', 'www.shop.example'], pages({ '/': tags(['/a.js']) }));
  const scan = (url: string, targetRate: TargetRate) => createCrawler(network.transport)(url, options({ targetRate }));

  it('applies across scans and hosts, and reports `target_busy` with the earliest time for a retry', async () => {
    await shop();
    let now = 1_000_000;
    const targetRate = createTargetRate(() => now);
    const limits = { requestsPerTargetMinute: 5 };
    const fetchFrom = (url: string) => createCrawler(network.transport)(url, options({ targetRate, limits }));
    expect((await fetchFrom('http://shop.example/')).notes).toMatchObject([{ reason: 'http_error' }]);
    expect((await fetchFrom('http://www.shop.example/')).notes).toMatchObject([{ reason: 'target_busy' }]);
    await expect(fetchFrom('http://shop.example/')).rejects.toMatchObject({
      reason: 'target_busy',
      retryAt: now + 70_000,
    });
    expect(requests).toHaveLength(5);
    now += 70_000;
    await fetchFrom('http://shop.example/');
  });

  it('makes a background scan wait until the target is below its rate limit', async () => {
    await shop();
    const targetRate = createTargetRate(Date.now);
    let rejected = 0;
    const twice: TargetRate = {
      take: async (target, perMinute) =>
        target === 'shop.example' && ++rejected <= 2
          ? { allowed: false, retryAt: Date.now() + 20 }
          : await targetRate.take(target, perMinute),
    };
    const limits = { targetWaitMs: 500 };
    const capture = await createCrawler(network.transport)(
      'http://shop.example/',
      options({ targetRate: twice, limits }),
    );
    expect(capture.notes).toMatchObject([{ reason: 'http_error' }]);
    const never: TargetRate = { take: async () => ({ allowed: false, retryAt: Date.now() + 200 }) };
    const waiting = { targetRate: never, limits };
    await expect(createCrawler(network.transport)('http://shop.example/', options(waiting))).rejects.toMatchObject({
      reason: 'target_busy',
    });
  });

  it('counts a request only after robots.txt and the address check allow it', async () => {
    const taken: string[] = [];
    const targetRate: TargetRate = {
      take: async target => {
        taken.push(target);
        return { allowed: true, retryAt: null };
      },
    };
    network.names.set('inside.example', ['10.0.0.1']);
    await expect(scan('http://inside.example/', targetRate)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(taken).toEqual([]);
    await server(publicAddress, ['shop.example'], pages({ '/robots.txt': 'User-agent: *\nDisallow: /' }));
    await expect(scan('http://shop.example/', targetRate)).rejects.toMatchObject({ reason: 'robots' });
    expect(taken).toEqual(['shop.example', publicAddress]);
  });

  it('fails the scan if the shared count is unavailable', async () => {
    await shop();
    const broken: TargetRate = { take: () => Promise.reject(new Error('database down')) };
    await expect(scan('http://shop.example/', broken)).rejects.toThrow('database down');
    expect(requests).toEqual([]);
  });
});
