import { idToken, sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppHarness, startAppHarness } from '../../test/harness.ts';
import { FILLED } from '../certificates/testing/helmet.ts';
import type { ProductResponse, ProductSummary } from './contract.ts';

let harness: AppHarness;
let shops = 0;
beforeAll(async () => {
  harness = await startAppHarness({ jobsAtOnce: 0 });
});
afterAll(() => harness.close());

/** Installs the app in a new shop with sample products. Returns the shop's domain. */
async function install(change: (shop: ReturnType<typeof sampleShop>) => void = () => {}): Promise<string> {
  const shop = sampleShop(`extended-${++shops}`);
  change(shop);
  await harness.fakeShopify.add(shop);
  expect((await harness.visit(shop.domain)).status).toBe(200);
  return shop.domain;
}

const PRODUCTS = '/app/extension/products';
const EXTENSION = { Origin: 'https://extensions.shopifycdn.com' };
const ask = (domain: string, path: string, init: RequestInit = {}) =>
  harness.askAs(domain, path, { ...init, headers: { ...EXTENSION, ...init.headers } });
const act = (domain: string, product: string, intent: string, query = '') =>
  ask(domain, `${PRODUCTS}/${product}${query}`, { method: 'POST', body: new URLSearchParams({ intent }) });
const summaryOf = async (answer: Response): Promise<ProductSummary> => {
  expect(answer.status).toBe(200);
  const { summary } = (await answer.json()) as ProductResponse;
  return summary!;
};
const check = async (domain: string, product: string, query = '') =>
  await summaryOf(await act(domain, product, 'check', query));

/** Issues a certificate for the helmet, the sample shop's eighth product. */
async function issue(domain: string, fields: object = FILLED): Promise<string> {
  await check(domain, '8');
  await summaryOf(await act(domain, '8', 'draft'));
  const { draft } = await harness.store.shop(domain).productCertificates.get('gid://shopify/Product/8');
  const { id } = draft as { id: string };
  const route = encodeURIComponent('routes/app.certificates.$product');
  const form = { intent: 'issue', draft: id, fields: JSON.stringify(fields), name: 'R. Keeper', agreed: 'true' };
  const options = { method: 'POST', body: new URLSearchParams(form) };
  const answer = await harness.askAs(domain, `/app/certificates/8?_data=${route}`, options);
  expect(await answer.json()).toMatchObject({ issued: { issued: id } });
  return id;
}

describe('a product’s summary', () => {
  it('shows a covered code’s duty with its start date, its citation, and the facts that determine it', async () => {
    const domain = await install();
    const { groups, variants, isCurrent } = await check(domain, '1');
    expect([variants, isCurrent]).toEqual([1, true]);
    const [bolt] = groups;
    expect(bolt).toMatchObject({ number: '100', count: 1, titles: [], code: '7318.15.20.61', coverage: 'covered' });
    const [duty] = bolt!.duties;
    expect(duty).toMatchObject({ program: 'steel', rateType: 'additional' });
    expect(duty!.rate).toBeGreaterThan(0);
    expect(duty!.from).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(duty!.citation).toMatch(/^Proclamation \d+/);
    expect(duty!.decidedBy.length).toBeGreaterThan(0);
  });

  it('reports a missing, short, or invalid code as unknown, never as not covered', async () => {
    const domain = await install(shop => {
      shop.products[0]!.variants[0]!.harmonizedSystemCode = 'bolt';
    });
    const resultOf = async (product: string) => {
      const [group] = (await check(domain, product)).groups;
      return [group!.status, group!.coverage, group!.duties];
    };
    expect(await resultOf('1')).toEqual(['invalid', 'unknown', []]);
    expect(await resultOf('22')).toEqual(['missing', 'unknown', []]);
    expect(await resultOf('25')).toEqual(['needs_digits', 'unknown', []]);
    expect(await resultOf('24')).toEqual(['clear', 'not_covered', []]);
  });

  it('reports that the duty depends on the country of origin if the origin is unknown', async () => {
    const domain = await install(shop => {
      shop.products[0]!.variants[0]!.origin = null;
    });
    const [bolt] = (await check(domain, '1')).groups;
    expect(bolt!.duties[0]!.decidedBy[0]).toEqual({ fact: 'origin' });
  });

  it('groups variants with the same result, covered variants first and unknown variants second', async () => {
    const domain = await install(shop => {
      const [small, medium, large] = shop.products[2]!.variants;
      small!.harmonizedSystemCode = '4820102020';
      medium!.harmonizedSystemCode = null;
      large!.harmonizedSystemCode = '7318152061';
      shop.products[2]!.variants.push({ ...large!, id: 'gid://shopify/ProductVariant/309', title: 'Giant' });
    });
    const { groups, variants } = await check(domain, '3');
    expect(variants).toBe(4);
    expect(groups.map(({ coverage, count, titles }) => [coverage, count, titles])).toEqual([
      ['covered', 2, ['Giant', 'Large']],
      ['unknown', 1, ['Medium']],
      ['not_covered', 1, ['Small']],
    ]);
  });

  it('returns conditions in the Shopify admin’s language', async () => {
    const domain = await install();
    const languages = ({ groups }: ProductSummary) =>
      groups
        .flatMap(({ duties }) => duties.flatMap(({ decidedBy }) => decidedBy))
        .map(fact => 'language' in fact && fact.language);
    expect(new Set(languages(await check(domain, '1', '?locale=de')))).toEqual(new Set(['de']));
    expect(new Set(languages(await summaryOf(await ask(domain, `${PRODUCTS}/1`))))).toEqual(new Set(['en']));
  });

  it('reports that results based on older lists aren’t current', async () => {
    const domain = await install();
    await check(domain, '1');
    const shop = harness.store.shop(domain);
    const { rows } = await shop.variants.list({ limit: 10 });
    await shop.variants.upsert(
      'old',
      rows.map(row => ({ ...row, listVersion: '2020-01-01' })),
    );
    expect(await summaryOf(await ask(domain, `${PRODUCTS}/1`))).toMatchObject({ isCurrent: false });
  });

  it('shows the newest certificate with the API’s status values', async () => {
    const domain = await install();
    expect((await check(domain, '8')).certificate).toMatchObject({ status: null, id: null, hasDraft: false });
    const drafted = await summaryOf(await act(domain, '8', 'draft'));
    expect(drafted.certificate).toMatchObject({ status: 'draft', id: null, hasDraft: true });
    expect(drafted.certificate.missing + drafted.certificate.faults).toBeGreaterThan(0);
    const { phone: _, ...manufacturer } = FILLED.manufacturer;
    const id = await issue(domain, { ...FILLED, manufacturer });
    const incomplete = await summaryOf(await ask(domain, `${PRODUCTS}/8`));
    expect(incomplete.certificate).toMatchObject({ status: 'incomplete', id, hasDraft: false });
    expect(incomplete.certificate.missing).toBeGreaterThan(0);
    const replacement = await issue(domain);
    const complete = await summaryOf(await ask(domain, `${PRODUCTS}/8`));
    expect(complete.certificate).toMatchObject({
      ...{ status: 'complete', id: replacement, missing: 0, faults: 0, retestDue: null },
      verificationUrl: expect.stringMatching(/^https:\/\/verify\.example\//),
    });
    const redrafted = await summaryOf(await act(domain, '8', 'draft'));
    expect(redrafted.certificate).toMatchObject({ status: 'complete', id: replacement, hasDraft: true });
  });
});

describe('actions on a product', () => {
  it('reads a changed code from Shopify and looks it up', async () => {
    const domain = await install();
    await check(domain, '1');
    harness.fakeShopify.shops.get(domain)!.products[0]!.variants[0]!.harmonizedSystemCode = '4820102020';
    expect((await summaryOf(await ask(domain, `${PRODUCTS}/1`))).groups[0]!.coverage).toBe('covered');
    expect((await check(domain, '1')).groups[0]).toMatchObject({ code: '4820.10.20.20', coverage: 'not_covered' });
  });

  it('keeps an existing draft', async () => {
    const domain = await install();
    await check(domain, '8');
    const draftId = async () => {
      await summaryOf(await act(domain, '8', 'draft'));
      const { draft } = await harness.store.shop(domain).productCertificates.get('gid://shopify/Product/8');
      return (draft as { id: string }).id;
    };
    expect(await draftId()).toBe(await draftId());
  });

  it('keeps the results and reports the reason if Shopify doesn’t return the product', async () => {
    const domain = await install();
    const before = await check(domain, '1');
    harness.fakeShopify.faults.plan({ kind: 'status', status: 500 }, { operation: 'CatalogProduct', times: 20 });
    const answer = await act(domain, '1', 'check');
    harness.fakeShopify.faults.clear();
    expect([answer.status, await answer.json()]).toEqual([503, { error: 'unavailable' }]);
    expect(await summaryOf(await ask(domain, `${PRODUCTS}/1`))).toEqual(before);
  });

  it.each([
    ['an unknown intent', new URLSearchParams({ intent: 'issue' })],
    ['no intent', new URLSearchParams()],
    ['a body that isn’t a form', '{"intent":"check"}'],
  ])('rejects %s', async (_, body) => {
    const domain = await install();
    const answer = await ask(domain, `${PRODUCTS}/1`, { method: 'POST', body });
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'bad_request' }]);
  });
});

describe('printed documents', () => {
  const print = (domain: string, document: string, product = '8') =>
    ask(domain, `/app/extension/print/${product}?document=${document}`);

  it.each(['certificate', 'product_label', 'carton_label'])('returns the %s as a PDF', async document => {
    const domain = await install();
    await issue(domain);
    const answer = await print(domain, document);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
    expect(answer.headers.get('Content-Security-Policy')).toBe(
      `frame-ancestors https://${domain} https://admin.shopify.com`,
    );
    expect((await answer.text()).slice(0, 5)).toBe('%PDF-');
  });

  it.each(['', 'label', 'constructor_label', 'preview'])('doesn’t return the unknown document %j', async document => {
    const domain = await install();
    await issue(domain);
    const answer = await print(domain, document);
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'no_certificate' }]);
  });

  it('doesn’t print a draft', async () => {
    const domain = await install();
    await act(domain, '8', 'draft');
    expect((await print(domain, 'certificate')).status).toBe(404);
  });
});

describe('requests from another origin', () => {
  const paths = [`${PRODUCTS}/8`, '/app/extension/print/8?document=certificate', '/APP/Extension/products/8'];

  it.each(paths)('responds to the preflight request for %s', async path => {
    const answer = await harness.ask(path, {
      method: 'OPTIONS',
      headers: {
        ...EXTENSION,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Allow-Methods')).toBe('GET,POST');
    expect(answer.headers.get('Access-Control-Allow-Headers')).toBe('Authorization,Content-Type');
  });

  it('allows other origins only on the extension routes', async () => {
    const domain = await install();
    const own = await ask(domain, `${PRODUCTS}/8`);
    expect([own.status, own.headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*']);
    const page = await ask(domain, '/app/certificates-csv');
    expect([page.status, page.headers.get('Access-Control-Allow-Origin')]).toEqual([200, null]);
  });

  const past = Math.floor(Date.now() / 1000) - 60;
  const tokens: [string, (domain: string) => Promise<string | null>][] = [
    ['no token', async () => null],
    ['an expired token', domain => idToken(domain, { exp: past })],
    ['a token for another app', domain => idToken(domain, { aud: 'another-app' })],
    ['a forged token', domain => idToken(domain, {}, new TextEncoder().encode('another secret of many letters'))],
  ];
  it.each(tokens)('rejects a request with %s without redirecting it', async (_, create) => {
    const domain = await install();
    await issue(domain);
    const token = await create(domain);
    const headers = { ...EXTENSION, ...(token !== null && { Authorization: `Bearer ${token}` }) };
    const addresses = [...paths, `${PRODUCTS}/8?shop=${domain}&embedded=1`];
    for (const path of addresses) {
      for (const method of path.includes('print') ? ['GET'] : ['GET', 'POST']) {
        const answer = await harness.ask(path, { method, headers });
        expect([answer.status, await answer.text()], `${method} ${path}`).toEqual([401, '']);
        expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      }
    }
  });
});

describe('the product routes', () => {
  it('never reads or changes another shop’s product', async () => {
    const owner = await install();
    const id = await issue(owner);
    const other = await install(shop => {
      shop.products = shop.products.slice(0, 3);
    });
    for (const answer of [await ask(other, `${PRODUCTS}/8`), await ask(other, `${PRODUCTS}/8?shop=${owner}`)])
      expect([answer.status, await answer.json()]).toEqual([200, { summary: null }]);
    for (const answer of [await act(other, '8', 'check'), await act(other, '8', 'draft')])
      expect([answer.status, await answer.json()]).toEqual([404, { error: 'unknown_product' }]);
    const printed = await ask(other, '/app/extension/print/8?document=certificate');
    expect([printed.status, await printed.json()]).toEqual([404, { error: 'no_certificate' }]);
    const kept = await summaryOf(await ask(owner, `${PRODUCTS}/8`));
    expect(kept.certificate).toMatchObject({ status: 'complete', id });
    expect(await harness.store.shop(other).productCertificates.get('gid://shopify/Product/8')).toMatchObject({
      state: 'none',
      draft: null,
    });
  });

  it.each(['0x8', '8%20', '-8', '..%2f8', '9'.repeat(30)])(
    'returns no product for the malformed ID %s',
    async number => {
      const domain = await install();
      expect(await (await ask(domain, `${PRODUCTS}/${number}`)).json()).toEqual({ summary: null });
      expect((await act(domain, number, 'check')).status).toBe(404);
    },
  );
});

describe('the rate limit', () => {
  it('limits each shop’s extension requests, and says when to retry', async () => {
    const [busy, other] = [await install(), await install()];
    const { family } = (await harness.store.shop(busy).record())!;
    await harness.store.limits.take(`extension ${family}`, { minute: 120, day: 20_000 }, 119);
    expect((await ask(busy, `${PRODUCTS}/1`)).status).toBe(200);
    for (const path of [`${PRODUCTS}/1`, '/APP/extension/products/1', '/app/extension/print/1']) {
      const answer = await ask(busy, path);
      expect([answer.status, await answer.json()], path).toEqual([429, { error: 'rate_limited' }]);
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(answer.headers.get('Access-Control-Expose-Headers')).toBe('Retry-After');
    }
    expect((await ask(other, `${PRODUCTS}/1`)).status).toBe(200);
    expect((await harness.askAs(busy, '/app/certificates-csv')).status).toBe(200);
  });
});
