import type { FakeShop, Fault } from '@compliance/fake-shopify';
import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import deutsch from '../../app/i18n/locales/de/certificates.json' with { type: 'json' };
import english from '../../app/i18n/locales/en/certificates.json' with { type: 'json' };
import español from '../../app/i18n/locales/es/certificates.json' with { type: 'json' };
import français from '../../app/i18n/locales/fr/certificates.json' with { type: 'json' };
import japanese from '../../app/i18n/locales/ja/certificates.json' with { type: 'json' };
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import type { Admin } from '../admin/admin.ts';
import { type IssuingContext, issuingContext, productGid } from './certificate-context.ts';
import { CERTIFICATE_CHECK } from './check-job.ts';
import { loadProductCertificate, saveDraft, startDraft } from './drafts.ts';
import { handleForm } from './form.ts';
import { issueDraft, voidCertificate } from './issue.ts';
import { BOLT, FILLED, HELMET } from './testing/helmet.ts';
import { FILLED_PUZZLE, PUZZLE } from './testing/puzzle.ts';
import { CERTIFICATE_UNLINK } from './unlink-job.ts';
import { type UploadFault, type UploadOptions, uploadToShopify } from './upload-to-shopify.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterEach(() => harness.fakeShopify.faults.clear());
afterAll(() => harness.close());

/** Hook that runs before each request to Shopify. */
let beforeAsking: (operation: string) => void = () => undefined;
afterEach(() => {
  beforeAsking = () => undefined;
});

const options = (more: Partial<UploadOptions> = {}): UploadOptions => ({
  ...{ audit: harness.store.audit, signal: new AbortController().signal },
  ...more,
});

/** Installs the app with the given scopes, issues a certificate for the helmet, and returns the issuing context. */
async function open(name: string, scopes = ['write_files', 'write_products']) {
  const fakeShop = sampleShop(name);
  for (const scope of scopes) fakeShop.scopes.add(scope);
  await harness.install(fakeShop);
  const merchant = harness.app.offlineContext(fakeShop.domain);
  const run: Admin['run'] = (operation, variables, how) => {
    beforeAsking(operation.name);
    return merchant.admin.run(operation, variables, how);
  };
  const context: IssuingContext = {
    ...issuingContext({ app: harness.app, merchant: { ...merchant, admin: { run }, user: '42' } }),
    baseUrl: 'https://verify.example',
  };
  const gccId = await issue(context);
  const put = (previousFile = '', more: Partial<UploadOptions> = {}) =>
    uploadToShopify(context, HELMET, { gccId, previousFile }, options(more));
  return { fakeShop, context, gccId, put };
}

async function issue(context: IssuingContext, product = HELMET, fields: object = FILLED): Promise<string> {
  await startDraft(context, product);
  const { id } = (await loadProductCertificate(context, product)).draft as { id: string };
  await saveDraft(context, product, id, JSON.stringify(fields));
  expect(await issueDraft(context, product, id, { agreed: true, name: 'R. Keeper', title: '' })).toEqual({
    issued: id,
  });
  return id;
}

const linked = ({ metafields }: FakeShop, key = 'certificate') =>
  [...metafields].flatMap(([at, { type, value }]) => (at.endsWith(`.${key}`) ? [{ at, type, value }] : []));
const asked = (operation: string, { domain }: FakeShop) =>
  harness.fakeShopify.calls.filter(call => call.operation === operation && call.shop === domain).length;

describe('voided certificates', () => {
  const worked = ({ domain }: FakeShop) => harness.work(domain);

  it('removes the link and the verification URL from the product', async () => {
    const { fakeShop, context, put } = await open('void-link');
    await put();
    expect([linked(fakeShop), linked(fakeShop, 'verification')].map(({ length }) => length)).toEqual([1, 1]);
    await voidCertificate(context, HELMET, 'Wrong lab');
    await worked(fakeShop);
    expect([...linked(fakeShop), ...linked(fakeShop, 'verification')]).toEqual([]);
    const [newest] = await harness.store.audit.list({ limit: 1 });
    expect(newest).toMatchObject({ action: 'certificate.unlinked' });
  });

  it('removes the link to a Children’s Product Certificate, whose filename starts with CPC', async () => {
    const { fakeShop, context } = await open('void-childrens');
    const gccId = await issue(context, PUZZLE, FILLED_PUZZLE);
    const { fault } = await uploadToShopify(context, PUZZLE, { gccId, previousFile: '' }, options());
    expect([fault, linked(fakeShop).length]).toEqual([null, 1]);
    expect(fakeShop.files[0]).toMatchObject({ alt: `CPC-${gccId}`, url: expect.stringContaining(`/CPC-${gccId}.pdf`) });
    await voidCertificate(context, PUZZLE, 'Wrong lab');
    await worked(fakeShop);
    expect(linked(fakeShop)).toEqual([]);
  });

  it('keeps the link to a newer certificate, and does nothing if the product has no link', async () => {
    const { fakeShop, context, put } = await open('void-newer');
    await voidCertificate(context, HELMET, 'Wrong lab');
    await worked(fakeShop);
    expect(asked('CertificateLinkDelete', fakeShop)).toBe(0);
    expect((await put()).fault).toBe('not_in_force');
    const newer = await issue(context);
    await uploadToShopify(context, HELMET, { gccId: newer, previousFile: '' }, options());
    const { gccId } = (await context.merchant.shop.productCertificates.history(HELMET)).at(-1)!;
    await context.merchant.shop.jobs.enqueue({ kind: CERTIFICATE_UNLINK, payload: { productId: HELMET, gccId } });
    await worked(fakeShop);
    expect(linked(fakeShop)).toHaveLength(1);
  });

  it('removes the link after the operator voids a certificate', async () => {
    const { fakeShop, context, gccId, put } = await open('void-operator');
    await put();
    await harness.store.certificates.void(gccId, { reason: 'Recalled', actor: 'operator' });
    await context.merchant.shop.jobs.enqueue({ kind: CERTIFICATE_CHECK });
    await worked(fakeShop);
    expect(linked(fakeShop)).toEqual([]);
    expect((await context.merchant.shop.productCertificates.get(HELMET)).state).toBe('voided');
  });
});

describe('certificate uploads to Shopify', () => {
  it('creates a file with the PDF’s exact bytes and links the product to that file', async () => {
    const { fakeShop, context, gccId, put } = await open('puts');
    const outcome = await put();
    expect(outcome).toEqual({ certificate: gccId, fault: null, message: null, file: fakeShop.files[0]!.id });
    const [file] = fakeShop.files;
    expect(file).toMatchObject({ mimeType: 'application/pdf', alt: `GCC-${gccId}`, processing: 0 });
    expect(file!.url).toContain(`/GCC-${gccId}.pdf`);
    expect(Buffer.from(file!.bytes).equals(Buffer.from(await context.certificates.pdf(gccId)))).toBe(true);
    expect(linked(fakeShop)).toEqual([
      { at: expect.stringMatching(/Product\/8 app--.+--gcc\.certificate$/), type: 'file_reference', value: file!.id },
    ]);
    expect(linked(fakeShop, 'verification')).toMatchObject([
      { type: 'url', value: expect.stringMatching(`^https://verify.example/.*${gccId}`) },
    ]);
    const [entry] = await harness.store.audit.list({ limit: 1 });
    const { family } = (await context.merchant.shop.record())!;
    // The log is permanent, so it must contain neither the shop's name nor a user ID.
    expect(entry).toMatchObject({
      ...{ actor: family, action: 'certificate.to_shopify', subject: `${family} ${HELMET}`, before: null },
      after: { file: file!.id, certificate: gccId },
    });
  });

  it('doesn’t upload or link a certificate a second time', async () => {
    const { fakeShop, put } = await open('twice');
    const first = await put();
    expect(await put()).toEqual(first);
    expect(fakeShop.files).toHaveLength(1);
    expect([asked('PdfStage', fakeShop), asked('CertificateLinkSet', fakeShop)]).toEqual([1, 1]);
  });

  it('replaces the link to a superseded certificate and keeps that certificate’s file', async () => {
    const { fakeShop, context, put } = await open('supersedes');
    await put();
    const next = await issue(context);
    expect((await put()).fault).toBe('not_in_force');
    const outcome = await uploadToShopify(
      context,
      HELMET,
      { gccId: next, previousFile: fakeShop.files[0]!.id },
      options(),
    );
    expect(outcome).toMatchObject({ fault: null, file: fakeShop.files[1]!.id });
    expect(linked(fakeShop).map(({ value }) => value)).toEqual([fakeShop.files[1]!.id]);
  });

  it('uploads the PDF again if the existing file was deleted or couldn’t be processed, or if the link is invalid', async () => {
    const { fakeShop, put } = await open('again');
    await put();
    fakeShop.files.length = 0;
    expect(await put()).toMatchObject({ fault: null });
    fakeShop.files[0]!.failed = 'Broken';
    expect(await put()).toMatchObject({ fault: null, file: fakeShop.files[1]!.id });
    const [key] = fakeShop.metafields.keys();
    for (const value of ['not an ID', productGid('8')]) {
      fakeShop.metafields.set(key!, { ...fakeShop.metafields.get(key!)!, value });
      expect(await put()).toMatchObject({ fault: null });
      expect(linked(fakeShop)[0]!.value).toBe(fakeShop.files.at(-1)!.id);
    }
  });

  it('uploads a certificate when the merchant submits the form on the product page', async () => {
    const { fakeShop, context, gccId } = await open('form');
    const form = new FormData();
    for (const [name, value] of Object.entries({ intent: 'put', certificate: gccId, file: '' })) form.set(name, value);
    const answer = await handleForm(context, HELMET, form, options());
    expect(answer?.put).toMatchObject({ fault: null, file: fakeShop.files[0]!.id });
  });
});

describe('certificate checks during uploads', () => {
  it('doesn’t call Shopify for a certificate that is missing or voided or that belongs to another shop or product', async () => {
    const { context, gccId, fakeShop, put } = await open('owner');
    const other = await open('thief');
    const before = harness.fakeShopify.calls.length;
    const refused = async (own: IssuingContext, product: string, id: string) =>
      (await uploadToShopify(own, product, { gccId: id, previousFile: '' }, options())).fault;
    expect(await refused(other.context, HELMET, gccId)).toBe('not_in_force');
    expect(await refused(context, BOLT, gccId)).toBe('not_in_force');
    expect(await refused(context, HELMET, 'no-such')).toBe('not_in_force');
    // The upload fails even if the shop's own records contain another shop's certificate.
    await other.context.merchant.shop.productCertificates.issued(HELMET, { gccId, by: '' });
    expect(await refused(other.context, HELMET, gccId)).toBe('not_in_force');
    await voidCertificate(context, HELMET, 'Wrong laboratory');
    expect((await put()).fault).toBe('not_in_force');
    expect(harness.fakeShopify.calls.length).toBe(before);
    expect([...fakeShop.files, ...other.fakeShop.files]).toEqual([]);
  });

  it('doesn’t link a product to another product’s certificate file', async () => {
    const { context, fakeShop, put } = await open('something');
    await put();
    const bolt = await issue(context, BOLT);
    const outcome = await uploadToShopify(
      context,
      BOLT,
      { gccId: bolt, previousFile: fakeShop.files[0]!.id },
      options(),
    );
    expect(outcome).toMatchObject({ fault: null, file: fakeShop.files[1]!.id });
  });
});

const OPERATIONS = ['CertificateLink', 'PdfStage', 'PdfFileCreate', 'FilePoll', 'CertificateLinkSet'];

describe('upload failures', () => {
  const cases: [UploadFault, Fault][] = [
    ['forbidden', { kind: 'status', status: 403 }],
    ['frozen', { kind: 'status', status: 402 }],
    ['unavailable', { kind: 'status', status: 404 }],
    ['unexpected', { kind: 'error', code: 'NO_SUCH_CODE' }],
  ];
  it.each(cases.flatMap(([word, fault]) => OPERATIONS.map(operation => [word, operation, fault] as const)))(
    'reports the error %s from %s and reuses any existing file on the next attempt',
    async (word, operation, fault) => {
      const { fakeShop, put } = await open(`fault-${word}-${operation}`.toLowerCase());
      harness.fakeShopify.faults.plan(fault, { operation });
      const outcome = await put();
      expect(outcome.fault).toBe(word);
      expect(linked(fakeShop)).toEqual([]);
      expect(await put(outcome.file ?? '')).toMatchObject({ fault: null });
      expect(fakeShop.files).toHaveLength(1);
      expect(linked(fakeShop)).toHaveLength(1);
    },
  );

  it.each(OPERATIONS)(
    'retries %s when Shopify throttles the request, is temporarily unavailable, or closes the connection',
    async operation => {
      const { fakeShop, put } = await open(`passes-${operation}`.toLowerCase());
      harness.fakeShopify.faults.plan({ kind: 'throttled' }, { operation });
      harness.fakeShopify.faults.plan({ kind: 'status', status: 503 }, { operation });
      harness.fakeShopify.faults.plan({ kind: 'hangUp' }, { operation });
      expect(await put()).toMatchObject({ fault: null });
      expect(fakeShop.files).toHaveLength(1);
    },
  );

  it.each(['PdfStage', 'PdfFileCreate', 'CertificateLinkSet'])(
    'returns Shopify’s message when Shopify rejects %s',
    async operation => {
      const { fakeShop, put } = await open(`refuses-${operation}`.toLowerCase());
      harness.fakeShopify.faults.plan({ kind: 'userErrors', message: 'The storage is full.' }, { operation });
      const outcome = await put();
      expect(outcome).toMatchObject({ fault: 'refused', message: 'The storage is full.' });
      expect(await put(outcome.file ?? '')).toMatchObject({ fault: null });
      expect(fakeShop.files).toHaveLength(1);
    },
  );

  it('reports a missing scope and doesn’t link a file', async () => {
    const noFiles = await open('no-files', ['write_products']);
    expect(await noFiles.put()).toMatchObject({ fault: 'forbidden', file: null });
    expect(noFiles.fakeShop.files).toEqual([]);
    const noProducts = await open('no-products', ['write_files']);
    const outcome = await noProducts.put();
    expect(outcome).toMatchObject({ fault: 'forbidden', file: noProducts.fakeShop.files[0]!.id });
    noProducts.fakeShop.scopes.add('write_products');
    expect(await noProducts.put(outcome.file!)).toMatchObject({ fault: null });
    expect(noProducts.fakeShop.files).toHaveLength(1);
  });

  it.each<Fault>([{ kind: 'status', status: 403 }, { kind: 'status', status: 500 }, { kind: 'hangUp' }])(
    'reports a rejected upload after the storage error %o',
    async fault => {
      const { fakeShop, put } = await open(`upload-${'status' in fault ? fault.status : fault.kind}`.toLowerCase());
      harness.fakeShopify.faults.plan(fault, { operation: 'storage' });
      expect(await put()).toMatchObject({ fault: 'upload_refused', file: null });
      expect(asked('PdfFileCreate', fakeShop)).toBe(0);
      expect(await put()).toMatchObject({ fault: null });
    },
  );

  it('reports a file that Shopify couldn’t process, and doesn’t reuse it', async () => {
    const { fakeShop, put } = await open('file-fails');
    harness.fakeShopify.faults.plan({ kind: 'fileFails', message: 'Not a PDF' }, { operation: 'PdfFileCreate' });
    expect(await put()).toMatchObject({ fault: 'file_failed', file: null });
    expect(linked(fakeShop)).toEqual([]);
    expect(await put(fakeShop.files[0]!.id)).toMatchObject({ fault: null, file: fakeShop.files[1]!.id });
  });

  it('reports a file that is still processing, and reuses it on the next attempt', async () => {
    const { fakeShop, put } = await open('takes-time');
    const outcome = await put('', { readyTimeoutMs: 0 });
    expect(outcome).toMatchObject({ fault: 'processing', file: fakeShop.files[0]!.id });
    expect(linked(fakeShop)).toEqual([]);
    expect(await put(outcome.file!)).toMatchObject({ fault: null, file: fakeShop.files[0]!.id });
    expect(fakeShop.files).toHaveLength(1);
  });

  it('doesn’t overwrite a certificate link that changed during the upload', async () => {
    const { fakeShop, put } = await open('changed');
    await put();
    const [key] = fakeShop.metafields.keys();
    fakeShop.metafields.delete(key!);
    const theirs = { id: 'gid://shopify/Metafield/9', type: 'file_reference', value: 'gid://shopify/GenericFile/9' };
    beforeAsking = operation => {
      if (operation === 'CertificateLinkSet') fakeShop.metafields.set(key!, theirs);
    };
    const outcome = await put(fakeShop.files[0]!.id);
    expect(outcome).toMatchObject({ fault: 'changed_meanwhile', file: fakeShop.files[0]!.id });
    expect(linked(fakeShop)[0]!.value).toBe(theirs.value);
    beforeAsking = () => undefined;
    expect(await put(outcome.file!)).toMatchObject({ fault: null });
    expect(fakeShop.files).toHaveLength(1);
  });

  it('treats a lost response as success if the product already links to the new file', async () => {
    const { fakeShop, put } = await open('lost');
    await put();
    const [[key, value]] = [...fakeShop.metafields] as [[string, { id: string; type: string; value: string }]];
    fakeShop.metafields.delete(key);
    beforeAsking = operation => {
      if (operation === 'CertificateLinkSet') fakeShop.metafields.set(key, value);
    };
    expect(await put(fakeShop.files[0]!.id)).toMatchObject({ fault: null });
  });

  it('reports a product that no longer exists in Shopify', async () => {
    const { fakeShop, put } = await open('gone');
    fakeShop.products = fakeShop.products.filter(({ id }) => id !== HELMET);
    expect(await put()).toMatchObject({ fault: 'gone', file: null });
  });

  it('stops waiting for a file immediately when the upload is aborted', async () => {
    const { fakeShop, put } = await open('aborts');
    const leaving = new AbortController();
    beforeAsking = operation => {
      if (operation === 'FilePoll') leaving.abort();
    };
    await expect(put('', { signal: leaving.signal })).rejects.toThrow(/abort/i);
    expect(linked(fakeShop)).toEqual([]);
  });

  it('has a message for every upload error in every language', () => {
    const words: Record<UploadFault, true> = {
      ...{ throttled: true, revoked: true, forbidden: true, frozen: true, unavailable: true, unexpected: true },
      ...{ not_in_force: true, gone: true, refused: true, upload_refused: true, file_failed: true },
      ...{ processing: true, changed_meanwhile: true },
    };
    for (const { toShopify } of [english, deutsch, français, español, japanese])
      expect(Object.keys(toShopify.faults).sort()).toEqual(Object.keys(words).sort());
  });
});
