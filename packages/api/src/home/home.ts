import { ERRORS } from '@compliance/contract/errors';
import { type Dataset, easternDate, listsInForce } from '@compliance/core/tariff';
import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { etag } from 'hono/etag';
import type { ApiEnv } from '../http/context.ts';
import { jsonResponse } from '../http/json-response.ts';
import { publicPage } from '../pages/public-page.ts';
import { pageHeaders } from '../pages/security.ts';
import type { PublicCall } from '../v0/call.ts';
import hts from '../v0/operations/hts.ts';
import scan from '../v0/operations/scan.ts';
import { homeBody } from './page.ts';
import { createCheckRunner } from './run-check.ts';
import { SCRIPT } from './script.ts';

/** Path of the home page script. */
const SCRIPT_PATH = '/assets/check.js';

/** Home page dependencies. */
export interface HomeDeps {
  /** Returns milliseconds since the Unix epoch. */
  clock: () => number;
  /** Returns the data set for a request. */
  dataset: () => Dataset;
  baseUrl?: string | undefined;
}

/**
 * Creates the home page, with forms that look up an HTS code and scan a storefront. The forms call v0 operations and
 * share the v0 rate limit. Clients that request JSON get links to the API and the documentation.
 *
 * @example
 * app.route('/', homePages(createPublicCall(deps), { clock: Date.now, dataset: () => DATASET }));
 */
export function homePages(call: PublicCall, { clock, baseUrl, dataset: currentDataset }: HomeDeps): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use('/', pageHeaders(baseUrl, { scripted: true }));

  const runCheck = createCheckRunner(call);
  app.get('/', async c => {
    c.header('Vary', 'Accept');
    const supports = ['text/html', 'application/json'];
    if (accepts(c, { header: 'Accept', supports, default: 'text/html' }) === 'application/json') {
      return jsonResponse(c, 200, JSON.stringify(directory(currentDataset())), { Vary: 'Accept' });
    }
    const code = await runCheck(c, hts, 'code');
    const url = await runCheck(c, scan, 'url');
    const [error] = [code, url].flatMap(outcome => (outcome && 'error' in outcome ? [outcome.error] : []));
    for (const [name, value] of Object.entries(error?.headers ?? {})) c.header(name, value);
    const dataset = currentDataset();
    const lists = listsInForce(easternDate(clock()), dataset);
    const body = homeBody({ code, url, lists, dataset, requestId: c.get('requestId') });
    const page = await publicPage({
      title: 'Check an HTS code or a storefront',
      section: '/',
      body,
      script: SCRIPT_PATH,
    });
    return c.html(page, error ? ERRORS[error.code].status : 200);
  });

  app.use(SCRIPT_PATH, etag());
  app.get(SCRIPT_PATH, c =>
    c.body(SCRIPT, 200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'public, max-age=300' }),
  );
  return app;
}

/** Returns the JSON representation of `/`: links and the list version. */
function directory({ version, known_through }: Dataset) {
  return {
    name: 'Portfolio Compliance',
    description:
      "US compliance for e-commerce. The service doesn't give legal, customs, or tax advice, and it doesn't file anything with any agency.",
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
