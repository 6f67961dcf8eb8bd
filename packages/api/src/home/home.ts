import { easternDate, listsInForce } from '@compliance/core/tariff';
import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { etag } from 'hono/etag';
import { answer } from '../answer.ts';
import type { ApiEnv } from '../context.ts';
import { ERRORS } from '../error-codes.ts';
import { pageHeaders } from '../pages/guard.ts';
import { publicPage } from '../pages/public.ts';
import type { OpenCall } from '../v0/call.ts';
import hts from '../v0/operations/hts.ts';
import scan from '../v0/operations/scan.ts';
import { checker } from './check.ts';
import { homeBody } from './page.ts';
import { SCRIPT } from './script.ts';

/** The script's path. */
const SCRIPT_PATH = '/assets/check.js';

/** What the first page works with. */
export interface HomeDeps {
  /** Milliseconds since 1970. */
  clock: () => number;
  baseUrl?: string | undefined;
  onFailure: (failure: unknown, requestId: string) => void;
}

/**
 * The first page, `/`: a code is looked up and a storefront scanned by a plain form, through v0 and under its limit. A client
 * that asks for JSON gets the way to everything else.
 *
 * @example
 * app.route('/', homePages(openCall(deps), { clock: Date.now, onFailure: console.error }));
 */
export function homePages(call: OpenCall, { clock, baseUrl, onFailure }: HomeDeps): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use('/', pageHeaders(baseUrl, { scripted: true }));

  const check = checker(call, onFailure);
  app.get('/', async c => {
    c.header('Vary', 'Accept');
    const supports = ['text/html', 'application/json'];
    if (accepts(c, { header: 'Accept', supports, default: 'text/html' }) === 'application/json') {
      return answer(c, 200, JSON.stringify(directory(clock())), { Vary: 'Accept' });
    }
    const code = await check(c, hts, 'code');
    const url = await check(c, scan, 'url');
    const [failed] = [code, url].flatMap(done => (done && 'error' in done ? [done.error] : []));
    for (const [name, value] of Object.entries(failed?.headers ?? {})) c.header(name, value);
    const body = homeBody({ code, url, lists: listsInForce(easternDate(clock())), requestId: c.get('requestId') });
    const page = await publicPage({ title: 'Check a code or a storefront', section: '/', body, script: SCRIPT_PATH });
    return c.html(page, failed ? ERRORS[failed.code].status : 200);
  });

  app.use(SCRIPT_PATH, etag());
  app.get(SCRIPT_PATH, c =>
    c.body(SCRIPT, 200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'public, max-age=300' }),
  );
  return app;
}

/** What a program that asks for `/` is told. */
function directory(now: number) {
  const { version, known_through } = listsInForce(easternDate(now));
  return {
    name: 'Portfolio Compliance',
    description: 'US import compliance for e-commerce. No legal, customs or tax advice; it files nothing.',
    lists: { version, known_through },
    links: {
      documentation: '/docs',
      openapi: '/openapi.yaml',
      openapi_v0: '/api/openapi.json',
      look_up_without_key: hts.path,
      scan_without_key: `${scan.path}?url={url}`,
      ask_for_a_key: '/beta',
      ready: '/readyz',
    },
  };
}
