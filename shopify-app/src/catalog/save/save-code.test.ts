import type { FakeVariant } from '@compliance/fake-shopify';
import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../../test/job-harness.ts';
import { CATALOG, SAVE_CODES } from '../model/job-types.ts';
import { cleanCodes } from './save-code.ts';
import { saveFromForm } from './save-from-form.ts';
import { startSaving } from './save-job.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());
beforeEach(() => harness.fakeShopify.faults.clear());

async function opened(name: string, { granted = true } = {}) {
  const given = sampleShop(name);
  if (granted) given.scopes.add('write_inventory');
  const shop = await harness.install(given);
  await shop.jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
  const bolt = given.products[0]!.variants[0]!;
  const merchant = { ...harness.app.offlineContext(given.domain), user: '42' };
  const save = (
    fields: Partial<Record<'expectedHtsCode' | 'expectedOrigin' | 'wantedHtsCode' | 'wantedOrigin', string>>,
  ) => {
    const form = new FormData();
    const all = { expectedHtsCode: '7318152061', expectedOrigin: 'TW', wantedHtsCode: '', wantedOrigin: '', ...fields };
    for (const [field, value] of Object.entries(all)) form.set(field, value);
    const options = { audit: harness.store.audit, signal: new AbortController().signal, now: Date.now() };
    return saveFromForm(merchant, bolt.id.split('/').at(-1)!, form, options);
  };
  return { given, shop, bolt, merchant, save };
}

const codes = ({ harmonizedSystemCode, origin }: FakeVariant) => [harmonizedSystemCode, origin];

describe('code updates', () => {
  it('writes a code to Shopify as digits, updates the variant’s result in the list, and adds an audit log entry', async () => {
    const { bolt, save, shop } = await opened('saved');
    expect(await save({ wantedHtsCode: '4820.10.2020', wantedOrigin: 'jp' })).toEqual({ saved: true });
    expect(codes(bolt)).toEqual(['4820102020', 'JP']);
    expect(await shop.variants.get(bolt.id)).toMatchObject({ htsCode: '4820102020', origin: 'JP' });
    const [entry] = await harness.store.audit.list({ limit: 1 });
    const { family } = (await shop.record())!;
    // The log is permanent, so it must contain neither the shop's name nor a user ID.
    expect(entry).toMatchObject({
      actor: family,
      action: 'catalog.save_code',
      subject: `${family} ${bolt.id}`,
      before: { htsCode: '7318152061', origin: 'TW' },
      after: { htsCode: '4820102020', origin: 'JP' },
    });
  });

  it('updates the code for the United States without changing other countries’ codes', async () => {
    const { bolt, save, shop, given } = await opened('us');
    bolt.countryCodes = [
      { countryCode: 'CA', harmonizedSystemCode: '731815' },
      { countryCode: 'US', harmonizedSystemCode: '7318152061' },
    ];
    expect(await save({ wantedHtsCode: '4820102020' })).toEqual({ saved: true });
    expect(bolt.countryCodes).toEqual([
      { countryCode: 'CA', harmonizedSystemCode: '731815' },
      { countryCode: 'US', harmonizedSystemCode: '4820102020' },
    ]);
    expect(codes(bolt)).toEqual(['7318152061', 'TW']);
    expect(await shop.variants.get(bolt.id)).toMatchObject({ htsCode: '4820102020', answer: { codeFor: 'US' } });
    expect(given.products).not.toHaveLength(0);
  });

  it('doesn’t overwrite a concurrent change to a code, and shows the changed code', async () => {
    const { bolt, save, shop } = await opened('meanwhile');
    bolt.harmonizedSystemCode = '7318158069';
    expect(await save({ wantedHtsCode: '4820102020' })).toEqual({
      fault: { code: 'changed_meanwhile', field: 'htsCode', message: null },
    });
    expect(bolt.harmonizedSystemCode).toBe('7318158069');
    expect(await shop.variants.get(bolt.id)).toMatchObject({ htsCode: '7318158069' });
  });

  it.each([
    [{ wantedHtsCode: 'abc' }, 'bad_code', 'htsCode'],
    [{ wantedHtsCode: '7318' }, 'bad_code', 'htsCode'],
    [{ wantedHtsCode: '=1+1' }, 'bad_code', 'htsCode'],
    [{ wantedOrigin: 'ZZ' }, 'bad_origin', 'origin'],
    [{}, 'nothing', null],
  ])('rejects the invalid input %o before calling Shopify', async (fields, code, field) => {
    const { save, bolt } = await opened(`refused-${code.replace('_', '-')}-${JSON.stringify(fields).length}`);
    expect(await save(fields)).toEqual({ fault: { code, field, message: null } });
    expect(codes(bolt)).toEqual(['7318152061', 'TW']);
  });

  it('shows Shopify’s error message next to the field', async () => {
    const { save } = await opened('user-errors');
    harness.fakeShopify.faults.plan({
      kind: 'userErrors',
      message: 'Not today',
      field: ['input', 'harmonizedSystemCode'],
    });
    expect(await save({ wantedHtsCode: '4820102020' })).toEqual({
      fault: { code: 'refused', field: 'htsCode', message: 'Not today' },
    });
  });

  it('rejects a code update if the app lacks the inventory scope', async () => {
    const { save, bolt } = await opened('declined', { granted: false });
    expect(await save({ wantedHtsCode: '4820102020' })).toEqual({ failed: 'forbidden' });
    expect(codes(bolt)).toEqual(['7318152061', 'TW']);
  });

  it('rejects a change to another shop’s variant', async () => {
    const { bolt } = await opened('victim');
    const given = sampleShop('thief');
    given.products = [];
    given.scopes.add('write_inventory');
    await harness.install(given);
    const form = new FormData();
    form.set('wantedHtsCode', '4820102020');
    const options = { audit: harness.store.audit, signal: new AbortController().signal, now: Date.now() };
    const thief = harness.app.offlineContext(given.domain);
    expect(await saveFromForm(thief, bolt.id.split('/').at(-1)!, form, options)).toMatchObject({
      fault: { code: 'gone' },
    });
    expect(codes(bolt)).toEqual(['7318152061', 'TW']);
  });
});

describe('code import jobs', () => {
  it('writes imported codes to Shopify in a job, and reports why a variant wasn’t saved', async () => {
    const { given, shop, merchant } = await opened('file');
    const [first, second] = given.products.map(({ variants }) => variants[0]!);
    const change = (variant: FakeVariant, htsCode: string, seen = variant.harmonizedSystemCode) => ({
      variantId: variant.id,
      expected: { htsCode: seen, origin: variant.origin },
      wanted: { htsCode, origin: null },
    });
    const text = JSON.stringify([change(first!, '4820102020'), change(second!, '4820102020', '0101210010')]);
    const job = (await startSaving(merchant, text))!;
    // A second click submits the same import.
    expect(await startSaving(merchant, text)).toEqual(job);
    await harness.work(given.domain);
    expect(await shop.jobs.get(job.id)).toMatchObject({
      state: 'done',
      result: { saved: 1, failed: [{ variantId: second!.id, code: 'changed_meanwhile', message: null }] },
    });
    expect(first!.harmonizedSystemCode).toBe('4820102020');
    expect(await shop.variants.get(first!.id)).toMatchObject({ htsCode: '4820102020' });
    // Run the job again to simulate a retry after its worker died. Values that Shopify already has are reported as
    // saved.
    await shop.jobs.enqueue({ kind: SAVE_CODES, payload: { changes: JSON.parse(text).slice(0, 1) } });
    await harness.work(given.domain);
    expect((await shop.jobs.latest(SAVE_CODES))!.result).toEqual({ saved: 1, failed: [] });
  });

  it.each(['', '{}', '[]', '[{"variantId":1}]'])('rejects the import data %o', async text => {
    expect(await startSaving(harness.app.offlineContext('none.myshopify.com'), text)).toBeNull();
  });
});

it('normalizes dotted HTS codes and lowercase country codes', () => {
  expect(cleanCodes({ htsCode: ' 0101.21.0010 ', origin: 'us' })).toEqual({
    codes: { htsCode: '0101210010', origin: 'US' },
  });
});
