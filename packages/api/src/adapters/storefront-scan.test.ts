import { pages, redirect } from '@compliance/crawler/testing';
import { afterAll, describe, expect, it } from 'vitest';
import pixelScan from '../operations/pixel-scan.ts';
import pixelSiteScan from '../operations/pixel-site-scan.ts';
import { requestPath, startService } from '../testing/service.ts';
import publicScan from '../v0/operations/scan.ts';

const services: Awaited<ReturnType<typeof startService>>[] = [];
const start = async () => {
  const service = await startService();
  services.push(service);
  return service;
};
afterAll(() => Promise.all(services.map(({ stop }) => stop())));

/** Two hostnames of the same length. The first resolves to a private IP address, and the second doesn't exist. */
const NAMES = ['intranet.example', 'nowhere1.example'] as const;

describe('a hostname that resolves to a private IP address', () => {
  /** Scans a URL with a new service and returns everything that a caller can observe, except the request ID. */
  async function observe(name: (typeof NAMES)[number], urlOf: (name: string) => string, scan: keyof typeof SCANS) {
    const service = await start();
    service.network.names.set('intranet.example', ['10.0.0.1']);
    await service.network.site(
      'public.example',
      pages({
        '/to': redirect(`http://${name}/`),
        '/script': `<script src="http://${name}.public.example/a.js"></script>`,
        '/tag': '<script src="/moved.js"></script>',
        '/moved.js': redirect(`http://${name}/`),
        '/': `<link rel="alternate" hreflang="fr" href="http://${name}/">`,
      }),
    );
    service.network.names.set('intranet.example.public.example', ['10.0.0.1']);
    const response = await SCANS[scan](service, urlOf(name));
    const headers = Object.fromEntries([...response.headers].filter(([header]) => header !== 'x-request-id'));
    const body = (await response.text()).replace(/"request_id":"[^"]*"/, '');
    const metrics = (await service.metrics.text())
      .split('\n')
      .filter(line => /^compliance_\w+_(?:total|count)/.test(line));
    return JSON.stringify({ status: response.status, headers, body, metrics }).replaceAll(name, 'name');
  }

  type Service = Awaited<ReturnType<typeof startService>>;
  const SCANS = {
    v0: async (service: Service, url: string) => await service.get(requestPath(publicScan, { url })),
    page: async (service: Service, url: string) => await authorized(service, pixelScan.path, url),
    site: async (service: Service, url: string) => await authorized(service, pixelSiteScan.path, url),
  };
  const authorized = async (service: Service, path: string, url: string) =>
    await service.post(path, { url }, { Authorization: `Bearer ${await service.issue('pixel')}` });

  it.each([
    ['the page', (name: string) => `http://${name}/`, 'page'],
    ['a page scanned without a key', (name: string) => `http://${name}/`, 'v0'],
    ["a site's home page", (name: string) => `http://${name}/`, 'site'],
    ['a redirect', () => 'http://public.example/to', 'page'],
    ['a script', () => 'http://public.example/script', 'page'],
    ['a script redirect', () => 'http://public.example/tag', 'page'],
    ['a home page in another locale', () => 'http://public.example/', 'site'],
  ] as const)('gets the same response, byte for byte, as a nonexistent hostname: %s', async (_, urlOf, scan) => {
    const [inside, missing] = [await observe(NAMES[0], urlOf, scan), await observe(NAMES[1], urlOf, scan)];
    expect(inside).toBe(missing);
    expect(inside).toContain('unreachable');
  });
});

describe('a scan of a site that was scanned too often', () => {
  it('returns 429 target_busy with Retry-After for every caller until the rate limit allows another scan', async () => {
    const service = await start();
    const requests: number[] = [];
    const scripts = Array.from({ length: 20 }, (_, i) => `<script src="/${i}.js"></script>`).join('');
    const reply = pages({ '/': scripts });
    await service.network.site('busy.example', (request, response) => {
      requests.push(service.time.now);
      reply(request, response);
    });
    const scan = async () => {
      const headers = { Authorization: `Bearer ${await service.issue('pixel')}` };
      return await service.post(pixelScan.path, { url: 'http://busy.example/' }, headers);
    };
    for (let i = 0; i < 3; i++) expect((await scan()).status).toBe(200);
    expect(requests).toHaveLength(60);
    const refused = await scan();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: 'target_busy' });
    const seconds = Number(refused.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(80);
    service.time.now += (seconds - 1) * 1000;
    expect((await service.get(requestPath(publicScan, { url: 'http://busy.example/' }))).status).toBe(429);
    expect(requests).toHaveLength(60);
    service.time.now += 1000;
    expect((await scan()).status).toBe(200);
  });
});
