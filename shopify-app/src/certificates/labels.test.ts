import { LABEL_RESOLUTIONS, LABEL_SIZES, LABEL_WRITERS } from '@compliance/core/entry';
import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LABEL_OPTIONS } from '../../app/screens/certificates/labels.tsx';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { type IssuingContext, issuingContext } from './certificate-context.ts';
import { loadProductCertificate, saveDraft, startDraft } from './drafts.ts';
import { issueDraft, voidCertificate } from './issue.ts';
import { labelFile, trackingLabelFile } from './labels.ts';
import { FILLED, HELMET } from './testing/helmet.ts';
import { FILLED_PUZZLE, LABS, PUZZLE } from './testing/puzzle.ts';

let harness: JobHarness;
let context: IssuingContext;
let helmet: string;
let puzzle: string;
beforeAll(async () => {
  harness = await createJobHarness();
  context = await open('labels');
  helmet = await issued(context, HELMET, FILLED);
  puzzle = await issued(context, PUZZLE, FILLED_PUZZLE);
});
afterAll(() => harness.close());

async function open(name: string, baseUrl = 'https://verify.example'): Promise<IssuingContext> {
  const { domain } = await harness.install(sampleShop(name));
  return {
    ...issuingContext({ app: harness.app, merchant: { ...harness.app.offlineContext(domain), user: '42' } }),
    ...{ acceptedLabs: LABS, baseUrl },
  };
}

async function issued(within: IssuingContext, product: string, fields: object): Promise<string> {
  await startDraft(within, product);
  const { id } = (await loadProductCertificate(within, product)).draft as { id: string };
  await saveDraft(within, product, id, JSON.stringify(fields));
  expect(await issueDraft(within, product, id, { agreed: true, name: 'R. Keeper', title: '' })).toEqual({ issued: id });
  return id;
}

const label = (id: string, query: object = {}, within = context) =>
  labelFile(within, id, new URLSearchParams({ size: 'carton', dpi: '203', file: 'svg', ...query }));

describe('certificate labels', () => {
  it('offers exactly the label sizes, resolutions, and file types that core supports', () => {
    const sorted = (values: readonly unknown[]) => values.map(String).sort();
    expect(sorted(LABEL_OPTIONS.size)).toEqual(sorted(Object.keys(LABEL_SIZES)));
    expect(sorted(LABEL_OPTIONS.dpi)).toEqual(sorted(LABEL_RESOLUTIONS));
    expect(sorted(LABEL_OPTIONS.file)).toEqual(sorted(Object.keys(LABEL_WRITERS)));
  });

  it('prints the certificate’s identifier in every size, resolution, and file type', async () => {
    for (const size of LABEL_OPTIONS.size)
      for (const dpi of LABEL_OPTIONS.dpi)
        for (const file of LABEL_OPTIONS.file) {
          const response = (await label(helmet, { size, dpi, file }))!;
          expect(response.headers.get('content-disposition')).toBe(`attachment; filename="label-${helmet}.${file}"`);
          expect(response.headers.get('content-security-policy')).toContain('sandbox');
          const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
          if (file === 'pdf') expect(text.slice(0, 5)).toBe('%PDF-');
          else expect(text).toContain(helmet.slice(0, 19));
        }
  });

  it('starts a label with the current status unless the certificate is complete', async () => {
    expect(await (await label(helmet))!.text()).not.toMatch(/DRAFT|VOIDED/);
    const other = await open('labels-void');
    const id = await issued(other, HELMET, FILLED);
    await voidCertificate(other, HELMET, 'Wrong lab');
    expect(await (await label(id, {}, other))!.text()).toContain('VOIDED');
    const draft = await issued(other, PUZZLE, { ...FILLED_PUZZLE, testing_lab: FILLED.testing_lab });
    expect(await (await label(draft, {}, other))!.text()).toContain('DRAFT');
  });

  it('rejects an invalid format, and reports content that doesn’t fit on the label', async () => {
    for (const query of [{ size: 'poster' }, { dpi: '72' }, { file: 'png' }])
      expect(await label(helmet, query)).toBeNull();
    const long = await open('labels-long', `https://${'long.'.repeat(50)}example`);
    const id = await issued(long, HELMET, FILLED);
    expect((await label(id, { size: 'product' }, long))?.status).toBe(422);
  });

  it('returns labels only to the shop that issued the certificate', async () => {
    const other = await open('labels-other');
    expect(await label(helmet, {}, other)).toBeNull();
    expect(await trackingLabelFile(other, puzzle)).toBeNull();
    expect(await label('no-such')).toBeNull();
  });
});

describe('tracking label sheets', () => {
  it('returns a tracking label sheet only for a children’s product', async () => {
    const sheet = (await trackingLabelFile(context, puzzle))!;
    expect(sheet.headers.get('content-disposition')).toContain(`tracking-label-${puzzle}.pdf`);
    expect(
      Buffer.from(await sheet.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(await trackingLabelFile(context, helmet)).toBeNull();
  });
});
