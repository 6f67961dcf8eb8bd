import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCrawlSession } from '../http/session.ts';
import { defaultCrawlLimits } from '../limits.ts';
import { createPool, PoolError } from '../pool/index.ts';
import { createNetwork, type Network } from '../testing/network.ts';
import { pages, type Reply, redirect } from '../testing/pages.ts';
import { createRobotsCheck } from './robots.ts';

const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 64, queue: 10 });
let network: Network;

beforeEach(() => {
  network = createNetwork();
});
afterEach(() => network.close());
afterAll(() => pool.close());

async function welcome(robots: Reply, paths = ['/page']) {
  let asked = 0;
  await network.site('shop.example', (request, response) => {
    if (request.url === '/robots.txt') asked += 1;
    pages({ '/robots.txt': robots, '/moved.txt': 'User-agent: *\nDisallow: /' })(request, response);
  });
  const session = openCrawlSession(network.transport, { ...defaultCrawlLimits, refusalMs: 0 }, 'test');
  const mayVisit = createRobotsCheck(session, pool);
  try {
    const answers = [];
    for (const path of paths) {
      answers.push(
        await mayVisit(new URL(path, 'http://shop.example')).then(
          () => 'welcome',
          error => error.reason,
        ),
      );
    }
    return { answer: answers[0], answers, asked };
  } finally {
    await session.guard.agent.destroy();
  }
}

const text = (...lines: string[]): Reply => ({ headers: { 'content-type': 'text/plain' }, body: lines.join('\n') });

describe('robots.txt checks', () => {
  it('rejects paths that robots.txt disallows, and fetches robots.txt only once', async () => {
    const rules = text('User-agent: *', 'Disallow: /cart', 'Allow: /cart/help', 'Disallow: /*?sort=');
    const { answers, asked } = await welcome(rules, ['/', '/cart', '/cart/help', '/c?sort=1', '/cartoon']);
    expect(answers).toEqual(['welcome', 'robots', 'welcome', 'robots', 'robots']);
    expect(asked).toBe(1);
  });

  it('prefers the rules for this crawler over the rules for all crawlers', async () => {
    const rules = text('User-agent: *', 'Disallow:', '', 'User-agent: portfoliocompliance', 'Disallow: /');
    expect((await welcome(rules)).answer).toBe('robots');
    const others = text('User-agent: *', 'Disallow: /', '', 'User-agent: PortfolioCompliance', 'Disallow: /admin');
    expect((await welcome(others)).answer).toBe('welcome');
  });

  it('allows everything if robots.txt is missing, empty, or an HTML page', async () => {
    for (const reply of [{ status: 404 }, { status: 403 }, text(''), '<!doctype html><p>Shop']) {
      expect((await welcome(reply)).answer).toBe('welcome');
    }
  });

  it('disallows everything if the robots.txt request fails with a server error', async () => {
    expect((await welcome({ status: 503 })).answer).toBe('robots');
  });

  it('follows robots.txt redirects, except for loops and redirects to private addresses', async () => {
    expect((await welcome(redirect('/moved.txt'))).answer).toBe('robots');
    expect((await welcome(redirect('/robots.txt'))).answer).toBe('welcome');
    expect((await welcome(redirect('http://10.0.0.1/robots.txt'))).answer).toBe('refused_address');
  });

  it('fails with `unreachable` if the robots.txt server is unreachable', async () => {
    const session = openCrawlSession(network.transport, { ...defaultCrawlLimits, refusalMs: 0 }, 'test');
    const asked = createRobotsCheck(session, pool)(new URL('http://nowhere.example/'));
    await expect(asked).rejects.toMatchObject({ reason: 'unreachable' });
    await session.guard.agent.destroy();
  });

  it('disallows everything if parsing robots.txt exceeds the pool’s limits, and still checks other robots.txt files', async () => {
    const agents = Array.from({ length: 20_000 }, (_, index) => `User-agent: a${index}`);
    const rules = Array.from({ length: 15_000 }, () => 'Disallow: /a');
    expect((await welcome(text(...agents, ...rules))).answer).toBe('robots');
    expect((await welcome(text('User-agent: *', 'Disallow: /page'))).answer).toBe('robots');
    expect((await welcome(text('User-agent: *', 'Disallow: /other'))).answer).toBe('welcome');
  });
});

it('reports a full pool queue as busy, never as a disallowed path', async () => {
  const busy = {
    run: () => Promise.reject(new PoolError('busy', 'full')),
    accepts: () => false,
    close: async () => {},
  };
  await network.site('shop.example', pages({ '/robots.txt': text('User-agent: *') }));
  const session = openCrawlSession(network.transport, defaultCrawlLimits, 'test');
  const asked = createRobotsCheck(session, busy)(new URL('http://shop.example/'));
  await expect(asked).rejects.toMatchObject({ name: 'PoolError', reason: 'busy' });
  await session.guard.agent.destroy();
});
