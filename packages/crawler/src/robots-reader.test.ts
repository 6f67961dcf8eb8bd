import { afterAll, expect, it } from 'vitest';
import { createPool } from './pool/index.ts';
import { openRobotsReader } from './robots-reader.ts';
import { createNetwork } from './testing/network.ts';
import { pages } from './testing/pages.ts';

const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 64, queue: 10 });
const network = createNetwork();

afterAll(async () => {
  await pool.close();
  await network.close();
});

it('allows a URL only if its host’s robots.txt file can be read and allows the URL', async () => {
  const robots = { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /cart' };
  await network.site('shop.example', pages({ '/robots.txt': robots }));
  await network.site('broken.example', pages({ '/robots.txt': { status: 503 } }), '93.184.216.35');
  const start = new URL('http://shop.example/');
  const options = { contact: 'https://scanner.example/', pool, limits: { refusalMs: 0 } };
  const reader = openRobotsReader(network.transport, start, options);
  const urls = [
    'http://shop.example/products/mug',
    'http://shop.example/cart/add',
    'http://broken.example/',
    'http://gone.example/',
  ];
  expect(await Promise.all(urls.map(url => reader.allows(new URL(url))))).toEqual([true, false, false, false]);
  await reader.close();
});
