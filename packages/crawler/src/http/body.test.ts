import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTarget } from '../address/parse-target.ts';
import { type CrawlLimits, defaultCrawlLimits } from '../limits.ts';
import { createNetwork, type Network } from '../testing/network.ts';
import { pages, type Reply } from '../testing/pages.ts';
import { readResponseBody } from './body.ts';
import { follow } from './follow.ts';
import { openCrawlSession } from './session.ts';

let network: Network;

beforeEach(() => {
  network = createNetwork();
});
afterEach(() => network.close());

async function read(changed: Partial<CrawlLimits> = {}, paths = ['/']) {
  const limits = { ...defaultCrawlLimits, ...changed };
  const session = openCrawlSession(network.transport, limits, 'test');
  try {
    const bodies = [];
    for (const path of paths) {
      const answer = await follow(session, parseTarget(`http://shop.example${path}`), async () => {});
      bodies.push(await readResponseBody(session, answer, limits.pageBytes));
    }
    return { body: bodies[0], bodies, spent: limits.totalBytes - session.budget.bytes };
  } finally {
    await session.guard.agent.destroy();
  }
}

const shop = (reply: Reply) => network.site('shop.example', pages({ '/': reply }));
const encoded = (encoding: string, body: Buffer): Reply => ({ headers: { 'content-encoding': encoding }, body });

describe('response bodies', () => {
  it('decodes uncompressed, gzip, and Brotli bodies', async () => {
    const encodings: [string, (bytes: Buffer) => Buffer][] = [
      ['identity', bytes => bytes],
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      [' BR', brotliCompressSync],
    ];
    let reply: Reply = '';
    await network.site('shop.example', (request, response) => pages({ '/': reply })(request, response));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100_000 }), fc.constantFrom(...encodings), async (bytes, code) => {
        const [encoding, encode] = code;
        reply = encoded(encoding, encode(Buffer.from(bytes)));
        const { body } = await read();
        expect(body?.bytes.equals(bytes)).toBe(true);
        expect(body?.cut).toBeNull();
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('truncates a decompression bomb early (%s)', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(60_000_000));
    await shop(encoded(encoding, bomb));
    const { body, spent } = await read();
    expect(body?.cut).toBe('ratio');
    expect(spent).toBeLessThan(1_200_000);
  });

  it('truncates an oversized body exactly at its limit, regardless of its Content-Length header', async () => {
    await shop({ headers: { 'content-length': '1000' }, body: Buffer.alloc(1_000, 'a') });
    const { body } = await read({ pageBytes: 10 });
    expect(body).toEqual({ bytes: Buffer.from('aaaaaaaaaa'), cut: 'size' });
  });

  it('truncates an endless body at its limit', async () => {
    await network.site('shop.example', (_, response) => {
      const more = () => void (response.write('a'.repeat(65_536)) && setImmediate(more));
      response.on('drain', more);
      more();
    });
    const { body } = await read({ pageBytes: 1_000_000 });
    expect(body?.bytes.length).toBe(1_000_000);
    expect(body?.cut).toBe('size');
  });

  it('truncates a body that exceeds the capture’s total size limit, and returns an empty body for the next response', async () => {
    await shop('a'.repeat(80));
    const { bodies } = await read({ totalBytes: 100 }, ['/', '/?2', '/?3'].fill('/'));
    expect(bodies.map(({ bytes, cut }) => [bytes.length, cut])).toEqual([
      [80, null],
      [20, 'total_size'],
      [0, 'total_size'],
    ]);
  });

  it('never truncates a body with an ordinary compression ratio', async () => {
    const page = Buffer.from(Array.from({ length: 60_000 }, (_, row) => `<li>row ${row * 7919}</li>`).join(''));
    await shop(encoded('gzip', gzipSync(page)));
    const { body } = await read();
    expect(body?.bytes.equals(page)).toBe(true);
    expect(body?.cut).toBeNull();
  });
});

describe('malformed bodies', () => {
  it.each<[string, Reply]>([
    ['not gzip', encoded('gzip', Buffer.from('<p>plain</p>'))],
    ['not brotli', encoded('br', Buffer.from('<p>plain</p>'))],
    ['gzip that ends early', encoded('gzip', gzipSync(Buffer.alloc(10_000, 'ab')).subarray(0, 30))],
    ["in an encoding that wasn't offered", encoded('deflate', deflateSync(Buffer.from('a')))],
    ['in several encodings', encoded('gzip, gzip', gzipSync(gzipSync(Buffer.from('a'))))],
  ])('fails with `broken_response` if the body is %s', async (_, reply) => {
    await shop(reply);
    await expect(read()).rejects.toMatchObject({ reason: 'broken_response' });
  });

  it('fails with `broken_response` if the body is shorter than its Content-Length header indicates', async () => {
    await network.rawSite('shop.example', socket =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n<p>short'),
    );
    await expect(read()).rejects.toMatchObject({ reason: 'broken_response' });
  });

  it('fails with `broken_response` if the body ends in the middle of a chunk', async () => {
    await network.rawSite('shop.example', socket =>
      socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n<p>short'),
    );
    await expect(read()).rejects.toMatchObject({ reason: 'broken_response' });
  });
});

it('truncates a body that is longer than its Content-Length header indicates', async () => {
  await network.rawSite('shop.example', socket =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nshortHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil'),
  );
  const { body } = await read();
  expect(body?.bytes.toString()).toBe('short');
});

describe('slow bodies', () => {
  const slowly = (everyMs: number | null) =>
    network.site('shop.example', (_, response) => {
      response.write('<p>');
      if (everyMs === null) return;
      const drip = setInterval(() => response.write('a'), everyMs);
      response.on('close', () => clearInterval(drip));
    });

  it('fails with `timed_out` if the body stalls', async () => {
    await slowly(null);
    await expect(read({ idleMs: 50 })).rejects.toMatchObject({ reason: 'timed_out' });
  });

  it('fails with `timed_out` if the body arrives too slowly', async () => {
    await slowly(5);
    await expect(read({ totalMs: 300 })).rejects.toMatchObject({ reason: 'timed_out' });
  });
});
