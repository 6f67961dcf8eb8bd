import { ChildrensCertificateRequestSchema, readRecord } from '@compliance/core/entry';
import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import english from '../../app/i18n/locales/en/certificates.json' with { type: 'json' };
import { CHOICES } from '../../app/screens/certificates/fields.ts';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { type IssuingContext, issuingContext } from './certificate-context.ts';
import { checkDraft, requestBody } from './draft.ts';
import { loadProductCertificate, saveDraft, startDraft } from './drafts.ts';
import { exportCertificates } from './export.ts';
import { certificatePdf, issueDraft, previewPdf } from './issue.ts';
import { certificatesOf, parseCertificatesQuery } from './list.ts';
import { productOf } from './product.ts';
import { saveProfile } from './profiles.ts';
import { FILLED, HELMET } from './testing/helmet.ts';
import { FILLED_PUZZLE, LABS, PUZZLE } from './testing/puzzle.ts';

const SIGNED = { agreed: true, name: 'Robin Keeper', title: 'Director' };
const ID = '3f8e6a52-1c7b-4f7e-9a54-0d1b2c3e4f5a';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

async function open(name: string, acceptedLabs: IssuingContext['acceptedLabs'] = LABS): Promise<IssuingContext> {
  const { domain } = await harness.install(sampleShop(name));
  return {
    ...issuingContext({ app: harness.app, merchant: { ...harness.app.offlineContext(domain), user: '42' } }),
    ...{ acceptedLabs, baseUrl: 'https://verify.example' },
  };
}

/** Starts a draft, saves the fields, and returns the draft's ID and the check result. */
async function drafted(context: IssuingContext, product: string, fields: object) {
  await startDraft(context, product);
  const { id } = (await loadProductCertificate(context, product)).draft as { id: string };
  return { id, check: await saveDraft(context, product, id, JSON.stringify(fields)) };
}

async function issued(context: IssuingContext, product: string, fields: object) {
  const { id } = await drafted(context, product, fields);
  expect(await issueDraft(context, product, id, SIGNED)).toEqual({ issued: id });
  return id;
}

const without = (field: keyof typeof FILLED_PUZZLE) =>
  Object.fromEntries(Object.entries(FILLED_PUZZLE).filter(([name]) => name !== field));
const NO_LAB_ID = { ...FILLED_PUZZLE, testing_lab: FILLED.testing_lab };

describe('drafts for children’s products', () => {
  it('issues a complete Children’s Product Certificate if an accepted laboratory tested the product', async () => {
    const context = await open('complete');
    const { id, check } = await drafted(context, PUZZLE, FILLED_PUZZLE);
    expect(check).toMatchObject({ kind: 'CPC', status: 'complete', issues: [], missing: [], contradictions: [] });
    expect(await issueDraft(context, PUZZLE, id, SIGNED)).toEqual({ issued: id });
    const kept = (await harness.store.certificates.get(id))!;
    expect(kept.status).toBe('complete');
    const record = readRecord(kept.record);
    expect(record.format).toBe('cpc-1');
    expect(record.childrens?.third_party_testing).toEqual(Array(4).fill('accepted'));
    expect(record.childrens?.lab_list?.as_of).toBe(LABS.as_of);
    expect((await productOf(context, '40'))!.current).toMatchObject({ kind: 'CPC', status: 'complete' });
    const pdf = (await certificatePdf(context, id))!;
    expect(pdf.headers.get('content-disposition')).toBe(`attachment; filename="CPC-${id}.pdf"`);
    expect(await exportCertificates(context).text()).toMatch(/,CPC\r\n$/);
  });

  it('issues only a draft certificate if no accepted laboratory tested the product, and lists the untested rules', async () => {
    for (const [name, fields, labs] of [
      ['no-id', NO_LAB_ID, null],
      ['not-listed', FILLED_PUZZLE, { ...LABS, labs: [] }],
    ] satisfies [string, object, IssuingContext['acceptedLabs']][]) {
      const context = await open(name, labs);
      const { id, check } = await drafted(context, PUZZLE, fields);
      expect(check).toMatchObject({ status: 'draft' });
      const missing = typeof check === 'object' ? check.missing! : [];
      expect(missing.map(({ element, rule }) => [element, rule])).toEqual(
        FILLED_PUZZLE.cpsc_rules_cited.map(rule => ['15 U.S.C. 2063(a)(2)', rule]),
      );
      expect(await issueDraft(context, PUZZLE, id, SIGNED)).toEqual({ issued: id });
      expect((await harness.store.certificates.get(id))!.status).toBe('draft');
      const list = await certificatesOf(context, parseCertificatesQuery(new URLSearchParams('state=issued')));
      expect(list.rows.map(({ status }) => status)).toEqual(['draft']);
    }
  });

  it('predicts the status that the issued certificate will have', async () => {
    const cases = {
      complete: FILLED_PUZZLE,
      draft: NO_LAB_ID,
      incomplete: without('toy_standard'),
      'incomplete age': {
        ...{ ...FILLED_PUZZLE, age_grading: { ages: { from_months: 36 } } },
        product_info: { ...FILLED_PUZZLE.product_info, name: 'Wooden puzzle' },
      },
      'incomplete helmet': { ...FILLED, certifier: undefined },
      'complete helmet': FILLED,
    };
    for (const [name, fields] of Object.entries(cases)) {
      const context = await open(`predicts-${name.replaceAll(' ', '-')}`);
      const { id, check } = await drafted(context, PUZZLE, fields);
      await issueDraft(context, PUZZLE, id, SIGNED);
      const { status } = (await harness.store.certificates.get(id))!;
      expect([name, status]).toEqual([name, name.split(' ')[0]]);
      expect(check).toMatchObject({ status });
    }
  });

  it('doesn’t issue a Children’s Product Certificate for a general-use product', async () => {
    const context = await open('adult');
    const adult = { ...FILLED_PUZZLE, product_info: FILLED.product_info };
    for (const age_grading of [undefined, { ages: { from_months: 216 } }, { marketing: 'general_use' }]) {
      const { id, check } = await drafted(context, HELMET, { ...adult, age_grading });
      expect(check).toMatchObject({ status: null, issues: [{ code: 'NOT_A_CHILDRENS_PRODUCT', path: 'age_grading' }] });
      expect(await issueDraft(context, HELMET, id, SIGNED)).toEqual({ refused: 'invalid' });
      expect(await previewPdf(context, HELMET)).toBeNull();
      expect(await harness.store.certificates.get(id)).toBeNull();
    }
    // If the age range contradicts the name, the certificate isn't complete.
    const { check } = await drafted(context, HELMET, { ...adult, age_grading: FILLED_PUZZLE.age_grading });
    expect(check).toMatchObject({ status: 'incomplete' });
  });

  it('keeps children’s product details in the draft, but omits them from a general certificate', async () => {
    const context = await open('switches');
    const general = { ...FILLED_PUZZLE, certificate_type: 'GCC' };
    const { check } = await drafted(context, PUZZLE, general);
    expect(check).toMatchObject({ kind: 'GCC', issues: [], status: 'incomplete' });
    const codes = typeof check === 'object' ? check.contradictions.map(({ code }) => code) : [];
    expect(codes).toContain('CHILDRENS_AGE_ON_GCC');
    const { draft } = (await productOf(context, '40'))!;
    expect(draft!.fields).toMatchObject({ toy_standard: FILLED_PUZZLE.toy_standard });
    expect(Object.keys(requestBody(general))).not.toContain('toy_standard');
    await issued(context, PUZZLE, general);
    expect((await productOf(context, '40'))!.current).toMatchObject({ kind: 'GCC', status: 'incomplete' });
  });

  it('derives the expected rules from the product details, and reports expected rules that aren’t cited', () => {
    const fields = { ...FILLED_PUZZLE, cpsc_rules_cited: ['16 CFR 1250'], tests: [] };
    const { expectedRules, missing } = checkDraft(
      { id: ID, fields, fromEarlier: false },
      { clock: Date.now, acceptedLabs: LABS },
    );
    expect(expectedRules!.map(({ citation, cited }) => [citation, cited])).toEqual([
      ['16 CFR 1250', true],
      ['16 CFR 1307', false],
      ['16 CFR 1501', false],
      ['15 U.S.C. 1278a', false],
    ]);
    expect(missing!.filter(({ path }) => path === 'cpsc_rules_cited').map(({ rule }) => rule)).toEqual(
      expectedRules!.flatMap(({ citation, cited }) => (cited ? [] : [citation])),
    );
  });

  it('keeps the certificate type in a replacement draft', async () => {
    const context = await open('replaces');
    const first = await issued(context, PUZZLE, FILLED_PUZZLE);
    await startDraft(context, PUZZLE);
    const { fields } = (await productOf(context, '40'))!.draft!;
    expect(fields).toMatchObject({ certificate_type: 'CPC', age_grading: FILLED_PUZZLE.age_grading });
    const next = await issued(context, PUZZLE, fields);
    expect(await harness.store.certificates.get(first)).toMatchObject({ status: 'superseded', supersededBy: next });
  });

  it('doesn’t let a draft certificate supersede a complete one', async () => {
    const context = await open('keeps');
    const first = await issued(context, PUZZLE, FILLED_PUZZLE);
    const { id } = await drafted(context, PUZZLE, NO_LAB_ID);
    expect(await issueDraft(context, PUZZLE, id, SIGNED)).toEqual({ refused: 'incomplete' });
    expect((await harness.store.certificates.get(first))!.status).toBe('complete');
  });

  it('saves the certificate type in a profile', async () => {
    const { merchant } = await open('profile');
    await saveProfile(merchant.shop, { id: '', name: 'Toys', fields: JSON.stringify(FILLED_PUZZLE) });
    expect(JSON.stringify((await merchant.shop.record())!.settings)).toContain('"certificate_type":"CPC"');
  });
});

describe('choices in the certificate form', () => {
  it('offers the request schema’s values, with a label for each', () => {
    const { childrens_product, age_grading, language } = ChildrensCertificateRequestSchema.shape;
    const schema = z.toJSONSchema(z.object({ childrens_product, age_grading }), { io: 'input' }) as never;
    const { properties } = schema as {
      properties: Record<string, { properties: Record<string, { enum?: string[]; items?: { enum: string[] } }> }>;
    };
    const all = { ...properties.childrens_product!.properties, ...properties.age_grading!.properties };
    const fixed = Object.entries(all).flatMap(([name, { enum: one, items }]) =>
      one || items ? [[name, one ?? items!.enum] as const] : [],
    );
    expect(fixed).toHaveLength(6);
    expect(CHOICES.language).toEqual(language.unwrap().options);
    for (const [name, values] of fixed) expect([name, CHOICES[name]]).toEqual([name, values]);
    const labels = Object.keys(english.choice);
    expect(
      Object.values(CHOICES)
        .flat()
        .filter(value => !labels.includes(value)),
    ).toEqual([]);
  });
});
