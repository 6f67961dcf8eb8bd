import { contextMetas, driftRules, pageRules, scan } from '@compliance/core/pixel';
import { listHistories } from '@compliance/core/tariff';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../error-codes.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { words } from '../testing/markup.ts';
import { bodyOf, startService } from '../testing/service.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A page's markup and what a reader sees of it. */
async function read(path: string) {
  const response = await service.get(path);
  const page = await response.text();
  return { response, page, seen: words(page) };
}

const RULES = [...pageRules, ...driftRules].map(({ meta }) => meta);

describe('the reference', () => {
  it('tells of every operation: address, fields, errors, a snippet in each language', async () => {
    const { page, seen } = await read('/docs');
    for (const { id, path, summary } of [...OPERATIONS, ...V0_OPERATIONS]) {
      for (const told of [id, path, summary]) expect(seen).toContain(told);
    }
    for (const field of [
      'codes',
      'product_info',
      'cpsc_rules_cited',
      'adjacent_hits',
      'severity_counts',
      'gcc_pdf_url',
    ]) {
      expect(seen.split('\n')).toContain(field);
    }
    expect(page.match(/<details name="/g)).toHaveLength(4 * (OPERATIONS.length + V0_OPERATIONS.length));
    for (const code of Object.keys(ERRORS)) expect(page).toContain(`href="/docs/errors/${code}"`);
    expect(seen).toContain('no legal, customs or tax advice');
  });

  it('names the address by which the service is reached', async () => {
    expect((await read('/docs')).seen).toContain('COMPLIANCE_BASE_URL=http://service.test\n');
    const other = await startService({ baseUrl: 'https://compliance.example/' });
    expect(words(await (await other.get('/docs')).text())).toContain(
      'COMPLIANCE_BASE_URL=https://compliance.example\n',
    );
    await other.stop();
  });

  it('has no link that leads nowhere, on any page', async () => {
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
    // The reference, the lists and rules with their overviews, the errors, the first page, the form, the assets, two documents.
    const expected = RULES.length + contextMetas.length + listHistories().length + Object.keys(ERRORS).length;
    expect(pages.size).toBeGreaterThanOrEqual(expected + 5);
  });
});

describe('the page of an error code', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('%s says what happened and what to do', async code => {
    const { response, seen } = await read(`/docs/errors/${code}`);
    expect(response.status).toBe(200);
    const { status, message, cause, remedy } = ERRORS[code];
    const told = seen.replaceAll('\n', '');
    for (const text of [message, cause, remedy]) expect(told).toContain(text.replaceAll('`', ''));
    expect(told).toContain(`${status}`);
    expect(told).toContain(`"error": "${code}"`);
  });

  it('is where the type of problem details leads', async () => {
    const response = await service.get('/api/v1/nothing', { headers: { Accept: 'application/problem+json' } });
    const { type } = (await response.json()) as { type: string };
    expect(type).toBe('/docs/errors/not_found');
    expect((await service.get(type)).status).toBe(200);
  });

  it('is there for codes alone', async () => {
    for (const name of ['nothing', '__proto__', 'toString', '%3Cscript%3E']) {
      const { response, page } = await read(`/docs/errors/${name}`);
      expect([name, response.status]).toEqual([name, 404]);
      expect(page).not.toContain('<script>');
    }
  });
});

describe('the page of a rule', () => {
  it.each(RULES)('$id is written from the rule', async ({ id, title, what, why, fix, sources }) => {
    const { response, seen } = await read(`/docs/rules/${id}`);
    expect(response.status).toBe(200);
    for (const text of [id, title, what, why, fix, ...sources]) expect(seen.replaceAll('\n', '')).toContain(text);
  });

  it.each(contextMetas)('$id is written from the context finding', async ({ id, title, what, fix }) => {
    const { response, seen } = await read(`/docs/rules/${id}`);
    expect(response.status).toBe(200);
    for (const text of [id, title, what, fix]) expect(seen).toContain(text);
  });

  it('is where the docs_url of a finding leads', async () => {
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

describe('the page of a list', () => {
  it.each(listHistories())('$id tells of its program, note, counts, sources and caveats', async list => {
    const { response, seen } = await read(`/docs/lists/${list.id}`);
    expect(response.status).toBe(200);
    const told = seen.replaceAll('\n', '');
    for (const text of [list.title, list.note, list.effective_from]) expect(told).toContain(text);
    for (const { from, provisions } of list.counts) expect(seen).toMatch(new RegExp(`${from}\n+${provisions}\n`));
    for (const { title, address } of list.sources) expect(told).toContain(title + (address ? '' : ''));
    for (const { text } of list.caveats) expect(told).toContain(text);
  });

  it('says that the lists may have changed after the day through which they are known', async () => {
    expect((await read('/docs/lists')).seen).toContain('known through');
    expect((await read('/docs/lists/steel-16l')).seen).toContain('a change after that day would not be in this answer');
  });
});

describe('every page of the documentation', () => {
  it.each([
    '/docs',
    '/docs/errors/beta',
    '/docs/rules',
    '/docs/rules/ga_universal_id',
    '/docs/lists',
    '/docs/lists/steel-16l',
    '/docs/rules/no',
  ])('%s lets no script in and fetches nothing from another site', async path => {
    const { response, page } = await read(path);
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(page).not.toMatch(/<script|style=|\son\w+=|src="(?!\/)|<link [^>]*href="https?:/i);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  it('refuses no client: it answers HEAD, and 405 to another method', async () => {
    expect((await service.get('/docs', { method: 'HEAD' })).status).toBe(200);
    const refused = await service.get('/docs', { method: 'DELETE' });
    expect([refused.status, await bodyOf(refused)]).toEqual([
      405,
      expect.objectContaining({ error: 'method_not_allowed' }),
    ]);
  });
});
