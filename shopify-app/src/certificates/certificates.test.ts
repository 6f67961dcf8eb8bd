import { WARNING_CODES } from '@compliance/core/entry';
import type { NewVariant } from '@compliance/store';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import english from '../../app/i18n/locales/en/certificates.json' with { type: 'json' };
import { hostileShop, sampleShop } from '../../stand-in/shop/samples.ts';
import { gid, type StandInShop } from '../../stand-in/shop/shop.ts';
import { createWorld, type World } from '../scan/testing/world.ts';
import { type Desk, productGid } from './desk.ts';
import { readFields } from './draft.ts';
import { exportCertificates } from './export.ts';
import { answerForm } from './form.ts';
import { certificatePdf, issueDraft, previewPdf, voidCertificate } from './issue.ts';
import { certificatesOf, readAsked } from './list.ts';
import { productOf } from './product.ts';
import { searchRules } from './rules.ts';
import { BOLT, FILLED, HELMET } from './testing/helmet.ts';
import { beginDraft, saveDraft, standingOf } from './write.ts';

const SIGNED = { agreed: true, name: 'Robin Keeper', title: 'Director' };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A shop whose catalog was read, and the desk of its merchant. */
async function open(stood: StandInShop): Promise<Desk> {
  const shop = await world.install(stood);
  const rows = stood.products.flatMap(product =>
    product.variants.map(
      (variant): NewVariant => ({
        ...{ variantId: variant.id, productId: product.id, productTitle: product.title, variantTitle: variant.title },
        ...{ sku: variant.sku, htsCode: variant.harmonizedSystemCode, origin: variant.origin, digits: 'full' },
        ...{ status: 'clear', answer: null, listVersion: '1' },
      }),
    ),
  );
  await shop.variants.upsert('run', rows);
  return {
    merchant: { ...world.app.merchantBehind(stood.domain), user: '42' },
    certificates: world.store.certificates,
    baseUrl: 'https://verify.example',
    clock: Date.now,
  };
}

const putting = () => ({ audit: world.store.audit, signal: new AbortController().signal });

const draftOf = async (desk: Desk, product: string) =>
  (await standingOf(desk, product)).draft as { id: string; fields: Record<string, Record<string, unknown>> };

/** Writes a certificate of a product and issues it. */
async function issued(desk: Desk, product: string, fields: object = FILLED): Promise<string> {
  await beginDraft(desk, product);
  const { id } = await draftOf(desk, product);
  await saveDraft(desk, product, id, JSON.stringify(fields));
  expect(await issueDraft(desk, product, id, SIGNED)).toEqual({ issued: id });
  return id;
}

describe('a certificate that is begun', () => {
  it('takes from Shopify what a product has, and the vendor as a suggestion', async () => {
    const desk = await open(sampleShop('begins'));
    expect(await beginDraft(desk, BOLT)).toBe(true);
    expect((await draftOf(desk, BOLT)).fields).toMatchObject({
      product_info: { name: 'Hex bolt M8, box of 100', sku: 'SKU-1-1', place_of_manufacture: 'Taiwan' },
      manufacturer: { name: 'Ridgeline Tools', country: 'TW' },
    });
    expect((await draftOf(desk, BOLT)).fields).not.toHaveProperty('certifier');
  });

  it('takes from the catalog what Shopify does not say just now', async () => {
    const desk = await open(sampleShop('offline'));
    world.standIn.faults.plan({ kind: 'status', status: 403 }, { operation: 'ProductForCertificate', times: 9 });
    expect(await beginDraft(desk, BOLT)).toBe(true);
    expect((await draftOf(desk, BOLT)).fields.product_info).toMatchObject({ name: 'Hex bolt M8, box of 100' });
    world.standIn.faults.take('ProductForCertificate', ['status']);
  });

  it('names certifier, keeper and laboratory as the last one in force did, without its tests', async () => {
    const desk = await open(sampleShop('again'));
    await issued(desk, HELMET);
    await beginDraft(desk, BOLT);
    const { fields } = await draftOf(desk, BOLT);
    expect(fields.certifier).toMatchObject({ name: 'Cascade Imports LLC' });
    expect(fields.testing_lab).toEqual({ name: 'Pacific Lab', address: '1 Quay' });
    expect(fields.product_info).toMatchObject({ name: 'Hex bolt M8, box of 100' });
    expect(JSON.stringify(fields)).not.toContain('Robin Keeper');
  });

  it('is not there for a product that nobody knows', async () => {
    const desk = await open(sampleShop('unknown'));
    expect(await beginDraft(desk, productGid('999'))).toBe(false);
    expect(await productOf(desk, '999')).toBeNull();
    expect(await answerForm(desk, productGid('999'), new FormData(), putting())).toBeNull();
  });
});

describe('a draft', () => {
  it('says at each save what keeps it from being issued, then what it lacks', async () => {
    const desk = await open(sampleShop('saves'));
    await beginDraft(desk, HELMET);
    const { id } = await draftOf(desk, HELMET);
    const bad = { ...FILLED, testing_lab: { ...FILLED.testing_lab, test_date: '2026-02-30' } };
    expect(await saveDraft(desk, HELMET, id, JSON.stringify(bad))).toMatchObject({
      issues: [{ path: 'testing_lab.test_date', code: 'INVALID_DATE' }],
      missing: null,
    });
    const check = await saveDraft(desk, HELMET, id, JSON.stringify(FILLED));
    expect(check).toMatchObject({ issues: [] });
    const paths = typeof check === 'object' ? check.missing!.map(({ path }) => path) : [];
    expect(paths).toContain('product_info.description');
    expect(paths).not.toContain('attestation');
  });

  it('cannot attest, and cannot name what it replaces', () => {
    const text = JSON.stringify({ ...FILLED, attestation: { attested_by: 'X' }, supersedes: 'x', efiling: { a: '' } });
    expect(readFields(text)).toEqual(FILLED);
  });

  it('keeps what stands in a list at its place', () => {
    expect(readFields('{"tests":[{"rule":""},{"rule":"16 CFR 1203"}]}')).toEqual({
      tests: [{}, { rule: '16 CFR 1203' }],
    });
  });

  it('is refused when it is no object or too long, and never throws', () => {
    for (const text of ['', '[]', '"x"', 'null', '{', `{"a":"${'x'.repeat(200_001)}"}`])
      expect(readFields(text)).toBeNull();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        readFields(text);
      }),
    );
  });

  it('is not overwritten by a window that still shows another', async () => {
    const desk = await open(sampleShop('windows'));
    await beginDraft(desk, HELMET);
    const { id } = await draftOf(desk, HELMET);
    const form = new FormData();
    for (const [name, value] of [
      ['intent', 'discard'],
      ['draft', id],
    ] as const)
      form.set(name, value);
    await answerForm(desk, HELMET, form, putting());
    expect(await saveDraft(desk, HELMET, id, JSON.stringify(FILLED))).toBe('gone');
    expect(await issueDraft(desk, HELMET, id, SIGNED)).toEqual({ refused: 'gone' });
  });

  it('can be looked at as a PDF once it can be drawn', async () => {
    const desk = await open(sampleShop('previews'));
    await beginDraft(desk, HELMET);
    expect(await previewPdf(desk, HELMET)).toBeNull();
    const { id } = await draftOf(desk, HELMET);
    await saveDraft(desk, HELMET, id, JSON.stringify(FILLED));
    const preview = await previewPdf({ ...desk, baseUrl: null }, HELMET);
    expect(preview?.headers.get('content-disposition')).toContain('DRAFT-');
    expect(
      Buffer.from(await preview!.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(await world.store.certificates.get(id)).toBeNull();
  });
});

describe('issuing', () => {
  it('needs the statement of a person, and an address for verifying', async () => {
    const desk = await open(sampleShop('signs'));
    await beginDraft(desk, HELMET);
    const { id } = await draftOf(desk, HELMET);
    await saveDraft(desk, HELMET, id, JSON.stringify(FILLED));
    expect(await issueDraft(desk, HELMET, id, { agreed: false, name: ' ', title: '' })).toEqual({
      faults: { agreed: 'not_agreed', name: 'name_missing' },
    });
    expect(await issueDraft({ ...desk, baseUrl: null }, HELMET, id, SIGNED)).toEqual({ refused: 'not_set_up' });
    expect((await standingOf(desk, HELMET)).state).toBe('draft');
  });

  it('twice, and at once, gives one certificate', async () => {
    const desk = await open(sampleShop('twice'));
    await beginDraft(desk, HELMET);
    const { id } = await draftOf(desk, HELMET);
    await saveDraft(desk, HELMET, id, JSON.stringify(FILLED));
    const click = () => issueDraft(desk, HELMET, id, SIGNED);
    expect(await Promise.all([click(), click(), click()])).toEqual([{ issued: id }, { issued: id }, { issued: id }]);
    expect(await click()).toEqual({ issued: id });
    const record = (await desk.merchant.shop.record())!;
    expect(await world.store.certificates.list({ family: record.family, limit: 10 })).toHaveLength(1);
    expect(await desk.merchant.shop.productCertificates.history(HELMET)).toHaveLength(1);
    const view = (await productOf(desk, '8'))!;
    expect(view).toMatchObject({
      draft: null,
      current: { id, status: 'valid', certifier: 'Cascade Imports LLC', attestedBy: 'Robin Keeper' },
    });
    expect(view.current!.verificationUrl).toBe(`https://verify.example/gcc/${id}`);
  });

  it('leaves no person and no shop in the log that is kept for good', async () => {
    const desk = await open(sampleShop('logged'));
    const id = await issued(desk, HELMET);
    await voidCertificate(desk, HELMET, 'Wrong laboratory');
    const { family } = (await desk.merchant.shop.record())!;
    const log = (await world.store.audit.list({ limit: 50 })).filter(({ subject }) => subject === id);
    expect(new Set(log.map(({ actor }) => actor))).toEqual(new Set([family]));
    expect(log).toHaveLength(2);
  });

  it('goes on where a process died between the certificate and its note', async () => {
    const desk = await open(sampleShop('dies'));
    await beginDraft(desk, HELMET);
    const { id } = await draftOf(desk, HELMET);
    await saveDraft(desk, HELMET, id, JSON.stringify(FILLED));
    const dying = {
      ...desk.merchant.shop,
      productCertificates: {
        ...desk.merchant.shop.productCertificates,
        issued: async () => {
          throw new Error('the process died');
        },
      },
    };
    await expect(
      issueDraft({ ...desk, merchant: { ...desk.merchant, shop: dying } }, HELMET, id, SIGNED),
    ).rejects.toThrow('died');
    expect((await productOf(desk, '8'))?.current?.id).toBe(id);
    expect(await issueDraft(desk, HELMET, id, SIGNED)).toEqual({ issued: id });
  });

  it('prints no maker abroad as certifier', async () => {
    const desk = await open(sampleShop('abroad'));
    const { certifier: _, ...without } = FILLED;
    await issued(desk, HELMET, without);
    const { current } = (await productOf(desk, '8'))!;
    expect(current?.certifier).toBeNull();
    expect(current?.missing.map(({ path }) => path)).toContain('certifier');
  });
});

describe('an issued certificate', () => {
  it('is replaced by the next one of its product, which begins as it was', async () => {
    const desk = await open(sampleShop('replaces'));
    const old = await issued(desk, HELMET);
    await beginDraft(desk, HELMET);
    expect((await draftOf(desk, HELMET)).fields).toEqual(FILLED);
    const id = await issued(desk, HELMET);
    expect(await world.store.certificates.get(old)).toMatchObject({ status: 'superseded', supersededBy: id });
    expect((await productOf(desk, '8'))!.history).toMatchObject([
      { event: 'issued', gccId: id, supersedes: old },
      { event: 'issued', gccId: old },
    ]);
  });

  it('is voided for a reason, once, and the next one stands by itself', async () => {
    const desk = await open(sampleShop('voids'));
    const old = await issued(desk, HELMET);
    expect(await voidCertificate(desk, HELMET, ' \n')).toEqual({ faults: { reason: 'reason_missing' } });
    expect(await voidCertificate(desk, HELMET, 'x'.repeat(501))).toEqual({ faults: { reason: 'reason_too_long' } });
    await Promise.all([voidCertificate(desk, HELMET, 'Wrong lab'), voidCertificate(desk, HELMET, 'Wrong lab')]);
    expect((await productOf(desk, '8'))!).toMatchObject({ current: { status: 'void', voidReason: 'Wrong lab' } });
    expect((await standingOf(desk, HELMET)).state).toBe('voided');
    const id = await issued(desk, HELMET);
    expect(await world.store.certificates.get(id)).toMatchObject({ status: 'valid', supersedes: null });
    expect((await productOf(desk, '8'))!.history.map(({ event }) => event)).toEqual(['issued', 'voided', 'issued']);
    expect((await certificatePdf(desk, old))?.status).toBe(200);
  });

  it('shows as void when whoever runs the service voided it', async () => {
    const desk = await open(sampleShop('outside'));
    const id = await issued(desk, HELMET);
    await world.store.certificates.void(id, { reason: 'Recalled', actor: 'operator' });
    expect((await productOf(desk, '8'))!.current).toMatchObject({ status: 'void', voidReason: 'Recalled' });
    expect((await standingOf(desk, HELMET)).state).toBe('voided');
  });

  it('is given to its own shop and to no other', async () => {
    const desk = await open(sampleShop('mine'));
    const other = await open(sampleShop('theirs'));
    const id = await issued(desk, HELMET);
    expect((await certificatePdf(desk, id))?.headers.get('content-type')).toBe('application/pdf');
    expect(await certificatePdf(other, id)).toBeNull();
    expect(await certificatePdf(desk, 'no-such')).toBeNull();
    expect(await voidCertificate(other, HELMET, 'Mine now')).toEqual({ faults: { reason: 'nothing_to_void' } });
    expect(await issueDraft(other, HELMET, id, SIGNED)).toEqual({ refused: 'gone' });
    // A draft that claims the number of another shop's certificate takes nothing over.
    await other.merchant.shop.productCertificates.saveDraft(HELMET, { id, fields: FILLED, fromEarlier: false });
    await expect(issueDraft(other, HELMET, id, SIGNED)).rejects.toMatchObject({ code: 'certificate_exists' });
    expect((await productOf(other, '8'))!.current).toBeNull();
  });
});

describe('titles that mean harm', () => {
  it('reach PDF and CSV as text', async () => {
    const desk = await open(hostileShop('harm'));
    for (const product of ['1', '2', '3', '4', '6', '8']) {
      const gid = productGid(product);
      await beginDraft(desk, gid);
      const { fields } = await draftOf(desk, gid);
      const info = { ...FILLED.product_info, name: fields.product_info!.name };
      const id = await issued(desk, gid, { ...FILLED, product_info: info });
      const pdf = Buffer.from(await (await certificatePdf(desk, id))!.arrayBuffer()).toString('latin1');
      expect(pdf).not.toMatch(/\/(JavaScript|JS|Launch|URI \(http:\/\/evil)/);
    }
    const csv = await exportCertificates(desk).text();
    const rows: string[][] = parse(csv, { bom: true });
    expect(rows).toHaveLength(7);
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    expect(csv).toContain("'=HYPERLINK");
  });
});

describe('the list', () => {
  it('has a page for each state, and finds products of any', async () => {
    const desk = await open(sampleShop('lists'));
    const { shop } = desk.merchant;
    await issued(desk, HELMET);
    await beginDraft(desk, BOLT);
    const view = (query: string) => certificatesOf(shop, readAsked(new URLSearchParams(query)));
    expect((await view('')).counts).toEqual({ none: 38, draft: 1, issued: 1, voided: 0 });
    const { rows, next } = await view('');
    const { rows: more, next: end } = await view(`cursor=${next}`);
    expect([rows.length, more.length, end]).toEqual([25, 13, null]);
    expect(new Set([...rows, ...more].map(({ product }) => product)).size).toBe(38);
    expect((await view('state=issued')).rows).toMatchObject([{ product: '8', title: 'Bicycle helmet, adult' }]);
    expect((await view('q=BICYCLE%20HELM')).rows.map(({ state }) => state)).toContain('issued');
    expect((await view('state=draft&cursor=nonsense')).rows).toMatchObject([{ product: '1', state: 'draft' }]);
    await shop.variants.remove({ productId: HELMET });
    expect((await view('state=issued')).rows).toMatchObject([{ product: '8', title: null }]);
  });
});

describe('the search for products', () => {
  it('gives each product once, though its variants stand on two pages', async () => {
    const stood = sampleShop('searched');
    const [variant] = stood.products[20]!.variants;
    stood.products[20]!.variants = Array.from({ length: 10 }, (_, at) => ({
      ...{ ...variant!, id: gid('ProductVariant', 9_000 + at), title: `No. ${at}` },
    }));
    const { shop } = (await open(stood)).merchant;
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = new URLSearchParams({ q: 'SKU-', ...(cursor && { cursor }) });
      const { rows, next } = await certificatesOf(shop, readAsked(query));
      found.push(...rows.map(({ product }) => product));
      cursor = next;
    }
    expect(found.length).toBe(40);
    expect(new Set(found).size).toBe(40);
  });
});

describe('the search for rules', () => {
  it('finds by number and by words, and puts first what this certificate may cite', () => {
    expect(searchRules('1203')[0]?.citation).toBe('16 CFR 1203');
    expect(searchRules('bicycle HELM')[0]?.citation).toBe('16 CFR 1203');
    expect(searchRules('zzz')).toEqual([]);
    const kinds = searchRules('').map(({ kind }) => kind);
    expect(kinds).toEqual(kinds.toSorted((a, b) => (a === b ? 0 : a === 'general' ? -1 : 1)));
  });
});

describe('the words of the screen', () => {
  it('has a sentence for every doubt', () => {
    expect(Object.keys(english.warning).sort()).toEqual([...WARNING_CODES].sort());
  });
});
