import { ERRORS, type ErrorCode } from '@compliance/contract/errors';
import { contextMetas, driftRules, pageRules, plainRuleText, scan } from '@compliance/core/pixel';
import { listHistories, listsInForce } from '@compliance/core/tariff';
import { en, SUPPORTED_LANGUAGES, translationOf } from '@compliance/translations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { visibleText } from '../testing/markup.ts';
import { jsonBody, startService } from '../testing/service.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Fetches a page, and returns the response, the markup, and the visible text. */
async function read(path: string) {
  const response = await service.get(path);
  const page = await response.text();
  return { response, page, visible: visibleText(page) };
}

const RULES = [...pageRules, ...driftRules].map(({ meta }) => meta);

describe('the API reference', () => {
  it('shows every operation’s path, fields, errors, and snippets', async () => {
    const { page, visible } = await read('/docs');
    for (const { id, path, summary } of [...OPERATIONS, ...V0_OPERATIONS]) {
      for (const text of [id, path, summary]) expect(visible).toContain(text);
    }
    for (const field of [
      'codes',
      'product_info',
      'cpsc_rules_cited',
      'adjacent_hits',
      'severity_counts',
      'gcc_pdf_url',
    ]) {
      expect(visible.split('\n')).toContain(field);
    }
    expect(page.match(/<details name="/g)).toHaveLength(4 * (OPERATIONS.length + V0_OPERATIONS.length));
    for (const code of Object.keys(ERRORS)) expect(page).toContain(`href="/docs/errors/${code}"`);
    expect(visible).toContain("doesn't give legal, customs, or tax advice");
  });

  it('shows the service’s base URL in the snippets', async () => {
    expect((await read('/docs')).visible).toContain('COMPLIANCE_BASE_URL=http://service.test\n');
    const other = await startService({ baseUrl: 'https://compliance.example/' });
    expect(visibleText(await (await other.get('/docs')).text())).toContain(
      'COMPLIANCE_BASE_URL=https://compliance.example\n',
    );
    await other.stop();
  });

  it('has no broken links on any page', async () => {
    const pages = new Map<string, string>();
    const open = ['/', '/docs'];
    const missing: string[] = [];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (pages.has(path)) continue;
      const response = await service.get(path);
      pages.set(path, await response.text());
      if (response.status !== 200) missing.push(path);
      const links = [...pages.get(path)!.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link]) => link!);
      open.push(...links.map(link => link.split('#')[0]!).filter(link => !pages.has(link)));
    }
    expect(missing).toEqual([]);
    for (const [path, page] of pages) {
      for (const [, target, id] of page.matchAll(/href="(\/[^"#]*)?#([^"]+)"/g)) {
        expect([path, id, pages.get(target ?? path)?.includes(`id="${id}"`)]).toEqual([path, id, true]);
      }
    }
    // Every rule, list, and error has a page. The other pages are the API reference, overviews, home page, form,
    // assets, and OpenAPI documents.
    const expected = RULES.length + contextMetas.length + listHistories().length + Object.keys(ERRORS).length;
    expect(pages.size).toBeGreaterThanOrEqual(expected + 5);
  });
});

describe('an error code page', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('explains the cause of %s and how to fix it', async code => {
    const { response, visible } = await read(`/docs/errors/${code}`);
    expect(response.status).toBe(200);
    const { status, message, cause, remedy } = ERRORS[code];
    const text = visible.replaceAll('\n', '');
    for (const part of [message, cause, remedy]) expect(text).toContain(part.replaceAll('`', ''));
    expect(text).toContain(`${status}`);
    expect(text).toContain(`"error": "${code}"`);
  });

  it('serves the error page at the `type` URL of problem details', async () => {
    const response = await service.get('/api/v1/nothing', { headers: { Accept: 'application/problem+json' } });
    const { type } = (await response.json()) as { type: string };
    expect(type).toBe('/docs/errors/not_found');
    expect((await service.get(type)).status).toBe(200);
  });

  it('returns 404 for a name that isn’t an error code', async () => {
    for (const name of ['nothing', '__proto__', 'toString', '%3Cscript%3E']) {
      const { response, page } = await read(`/docs/errors/${name}`);
      expect([name, response.status]).toEqual([name, 404]);
      expect(page).not.toContain('<script>');
    }
  });
});

describe('a rule page', () => {
  it.each(RULES)('shows the text and sources of rule $id', async ({ id, title, what, why, fix, sources }) => {
    const { response, page, visible } = await read(`/docs/rules/${id}`);
    expect(response.status).toBe(200);
    const joined = visible.replaceAll('\n', '');
    for (const text of [id, title, what, why, fix, ...sources]) expect(joined).toContain(plainRuleText(text));
    expect(page).not.toContain('`');
    for (const [, code] of what.matchAll(/`([\w./-]+)`/g)) expect(page).toContain(`<code>${code}</code>`);
  });

  it.each(contextMetas)('shows the text of context finding $id', async ({ id, title, what, fix }) => {
    const { response, visible } = await read(`/docs/rules/${id}`);
    expect(response.status).toBe(200);
    for (const text of [id, title, what, fix]) expect(visible).toContain(text);
  });

  it('serves a rule page at each finding’s docs_url', async () => {
    const html = `<script>Shopify={}</script><script>fbq(</script><script>ga("create","UA-12345-1")</script>
<script src="https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234"></script>`;
    const url = 'https://shop.example/';
    const capture = { url, finalUrl: url, status: 200, headers: {}, html, scripts: [], truncated: true, notes: [] };
    const { findings } = scan(capture, { asOf: '2026-11-21' });
    expect(new Set(findings.map(({ rule_id }) => rule_id)).size).toBeGreaterThan(4);
    for (const { docs_url } of findings)
      expect([docs_url, (await service.get(docs_url)).status]).toEqual([docs_url, 200]);
  });
});

describe('a rule page in another language', () => {
  const inLanguage = async (path: string, accept: string) => {
    const response = await service.get(path, { headers: { 'Accept-Language': accept } });
    return { response, page: await response.text() };
  };

  it.each(['de', 'es', 'fr', 'ja'])(
    'is entirely in %s, except for its sources, and links to pages in the same language',
    async locale => {
      const translation = translationOf(locale)!;
      const { page, visible, response } = await read(`/docs/rules/ga_universal_id?lang=${locale}`);
      expect(page).toContain(`<html lang="${locale}">`);
      expect(response.headers.get('Content-Language')).toBe(locale);
      for (const id of ['skip', 'check', 'rules', 'lists', 'what', 'why', 'sources', 'disclaimer'])
        expect(visible).toContain(translation.pages[id]);
      for (const [id, text] of Object.entries(en.pages))
        if (text !== translation.pages[id]) expect(page).not.toContain(`>${text}<`);
      expect(visible.replaceAll('\n', '')).toContain(plainRuleText(translation.rules.ga_universal_id!.what));
      expect(page).toContain(`href="/docs/rules?lang=${locale}"`);
      expect((await read(`/docs/rules?lang=${locale}`)).page).toContain(
        `href="/docs/rules/ga_universal_id?lang=${locale}"`,
      );
    },
  );

  it('links to its canonical URL and to its versions in other languages, with English as the default', async () => {
    const { page } = await read('/docs/rules/ga_universal_id?lang=de');
    expect(page.match(/<link rel="(?:canonical|alternate)"[^>]*>/g)).toEqual([
      '<link rel="canonical" href="/docs/rules/ga_universal_id?lang=de">',
      '<link rel="alternate" hreflang="x-default" href="/docs/rules/ga_universal_id">',
      '<link rel="alternate" hreflang="en" href="/docs/rules/ga_universal_id">',
      ...['de', 'es', 'fr', 'ja'].map(
        tag => `<link rel="alternate" hreflang="${tag}" href="/docs/rules/ga_universal_id?lang=${tag}">`,
      ),
    ]);
    expect((await read('/docs/rules?lang=en')).page).toContain('<link rel="canonical" href="/docs/rules">');
  });

  it('uses the browser’s preferred language if the URL doesn’t specify one, and sets the Vary header', async () => {
    for (const [accept, locale] of [
      ['de-AT,en;q=0.5', 'de'],
      ['nl, ja;q=0.4, fr;q=0.7', 'fr'],
      ['nl', 'en'],
      ['*', 'en'],
      ['<script>', 'en'],
    ] as const) {
      const { page, response } = await inLanguage('/docs/rules', accept);
      expect([accept, page]).toEqual([accept, expect.stringContaining(`<html lang="${locale}">`)]);
      expect(response.headers.get('Vary')).toContain('Accept-Language');
    }
    expect((await inLanguage('/docs/rules?lang=en', 'de')).page).toContain('<html lang="en">');
  });

  it('lists the supported languages if the language in the URL is unknown', async () => {
    for (const lang of ['nl', '', '__proto__', '%3Cscript%3E']) {
      const { response, page } = await read(`/docs/rules/ga_universal_id?lang=${lang}`);
      expect([lang, response.status]).toEqual([lang, 400]);
      for (const tag of SUPPORTED_LANGUAGES) expect(page).toContain(`href="/docs/rules/ga_universal_id?lang=${tag}"`);
      expect(page).not.toContain('<script>');
    }
  });
});

describe('a list page', () => {
  it.each(listHistories())('shows the title, note, dates, counts, sources, and caveats of list $id', async list => {
    const { response, visible } = await read(`/docs/lists/${list.id}`);
    expect(response.status).toBe(200);
    const text = visible.replaceAll('\n', '');
    for (const fact of [list.title, list.note, list.effective_from]) expect(text).toContain(fact);
    for (const { from, provisions } of list.counts) expect(visible).toMatch(new RegExp(`${from}\n+${provisions}\n`));
    for (const { title } of list.sources) expect(text).toContain(title);
    for (const caveat of list.caveats) expect(text).toContain(caveat.text);
  });

  it('warns that the list doesn’t include changes after the data set’s `known_through` date', async () => {
    const { known_through } = listsInForce('2026-10-01');
    const today = service.time.now;
    service.time.now = Math.max(today, Date.parse(known_through) + 2 * 86_400_000);
    const pages = await Promise.all(['/docs/lists', '/docs/lists/steel-16l'].map(path => read(path)));
    service.time.now = today;
    for (const { visible } of pages) expect(visible).toContain("Later changes aren't included");
  });
});

describe('every documentation page', () => {
  it.each([
    '/docs/errors/beta',
    '/docs/rules',
    '/docs/rules/ga_universal_id',
    '/docs/lists',
    '/docs/lists/steel-16l',
    '/docs/rules/no',
  ])('runs no scripts on %s and loads nothing from other sites', async path => {
    const { response, page } = await read(path);
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(page).not.toMatch(/<script|style=|\son\w+=|src="(?!\/)|<link [^>]*href="https?:/i);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  it('runs only the service’s own script file on the reference page, and loads nothing from other sites', async () => {
    const { response, page } = await read('/docs');
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/assets/reference.js" defer>']);
    expect(page).not.toMatch(/style=|\son\w+=|src="(?!\/)|<link [^>]*href="https?:/i);
    const script = await service.get('/assets/reference.js');
    expect(script.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(await script.text()).not.toMatch(/innerHTML|eval|https?:/);
  });

  it('supports HEAD and returns 405 for unsupported methods', async () => {
    expect((await service.get('/docs', { method: 'HEAD' })).status).toBe(200);
    const refused = await service.get('/docs', { method: 'DELETE' });
    expect([refused.status, await jsonBody(refused)]).toEqual([
      405,
      expect.objectContaining({ error: 'method_not_allowed' }),
    ]);
  });
});
