import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import deutsch from '../../app/i18n/locales/de/certificates.json' with { type: 'json' };
import english from '../../app/i18n/locales/en/certificates.json' with { type: 'json' };
import español from '../../app/i18n/locales/es/certificates.json' with { type: 'json' };
import français from '../../app/i18n/locales/fr/certificates.json' with { type: 'json' };
import japanese from '../../app/i18n/locales/ja/certificates.json' with { type: 'json' };
import type { Fault } from '../../stand-in/admin/fault.ts';
import { sampleShop } from '../../stand-in/shop/samples.ts';
import type { StandInShop } from '../../stand-in/shop/shop.ts';
import type { Admin } from '../admin/admin.ts';
import { createWorld, type World } from '../scan/testing/world.ts';
import { type Desk, productGid } from './desk.ts';
import { answerForm } from './form.ts';
import { issueDraft, voidCertificate } from './issue.ts';
import { BOLT, FILLED, HELMET } from './testing/helmet.ts';
import { type PutFault, type PutOptions, putIntoShopify } from './to-shopify.ts';
import { beginDraft, saveDraft, standingOf } from './write.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterEach(() => world.standIn.faults.clear());
afterAll(() => world.close());

/** What comes before an operation is sent to Shopify. */
let beforeAsking: (operation: string) => void = () => undefined;
afterEach(() => {
  beforeAsking = () => undefined;
});

const options = (more: Partial<PutOptions> = {}): PutOptions => ({
  ...{ audit: world.store.audit, signal: new AbortController().signal },
  ...more,
});

/** A shop with both scopes, the desk of its merchant, and a certificate of its helmet. */
async function open(name: string, scopes = ['write_files', 'write_products']) {
  const stood = sampleShop(name);
  for (const scope of scopes) stood.scopes.add(scope);
  await world.install(stood);
  const merchant = world.app.merchantBehind(stood.domain);
  const run: Admin['run'] = (operation, variables, how) => {
    beforeAsking(operation.name);
    return merchant.admin.run(operation, variables, how);
  };
  const desk: Desk = {
    merchant: { ...merchant, admin: { run }, user: '42' },
    certificates: world.store.certificates,
    baseUrl: 'https://verify.example',
    clock: Date.now,
  };
  const gccId = await issue(desk);
  const put = (left = '', more: Partial<PutOptions> = {}) =>
    putIntoShopify(desk, HELMET, { gccId, left }, options(more));
  return { stood, desk, gccId, put };
}

async function issue(desk: Desk, product = HELMET): Promise<string> {
  await beginDraft(desk, product);
  const { id } = (await standingOf(desk, product)).draft as { id: string };
  await saveDraft(desk, product, id, JSON.stringify(FILLED));
  expect(await issueDraft(desk, product, id, { agreed: true, name: 'R. Keeper', title: '' })).toEqual({ issued: id });
  return id;
}

const linked = ({ metafields }: StandInShop) => [...metafields].map(([at, { type, value }]) => ({ at, type, value }));
const asked = (operation: string, { domain }: StandInShop) =>
  world.standIn.calls.filter(call => call.operation === operation && call.shop === domain).length;

describe('a certificate that is put into Shopify', () => {
  it('is a file with the very bytes of the PDF, which the product names', async () => {
    const { stood, desk, gccId, put } = await open('puts');
    const outcome = await put();
    expect(outcome).toEqual({ certificate: gccId, fault: null, message: null, file: stood.files[0]!.id });
    const [file] = stood.files;
    expect(file).toMatchObject({ mimeType: 'application/pdf', alt: `GCC-${gccId}`, processing: 0 });
    expect(file!.url).toContain(`/GCC-${gccId}.pdf`);
    expect(Buffer.from(file!.bytes).equals(Buffer.from(await desk.certificates.pdf(gccId)))).toBe(true);
    expect(linked(stood)).toEqual([
      { at: expect.stringMatching(/Product\/8 app--.+--gcc\.certificate$/), type: 'file_reference', value: file!.id },
    ]);
    const [entry] = await world.store.audit.list({ limit: 1 });
    expect(entry).toMatchObject({
      ...{ actor: 'shopify-user:42', action: 'certificate.to_shopify', before: null },
      after: { file: file!.id, certificate: gccId },
    });
  });

  it('is neither uploaded nor linked again when it is there', async () => {
    const { stood, put } = await open('twice');
    const first = await put();
    expect(await put()).toEqual(first);
    expect(stood.files).toHaveLength(1);
    expect([asked('PdfStage', stood), asked('CertificateLinkSet', stood)]).toEqual([1, 1]);
  });

  it('takes the place of the one that it supersedes, whose file stays', async () => {
    const { stood, desk, put } = await open('supersedes');
    await put();
    const next = await issue(desk);
    expect((await put()).fault).toBe('not_in_force');
    const outcome = await putIntoShopify(desk, HELMET, { gccId: next, left: stood.files[0]!.id }, options());
    expect(outcome).toMatchObject({ fault: null, file: stood.files[1]!.id });
    expect(linked(stood).map(({ value }) => value)).toEqual([stood.files[1]!.id]);
  });

  it('is put anew when its file was deleted, failed, or what the product names is no such file', async () => {
    const { stood, put } = await open('anew');
    await put();
    stood.files.length = 0;
    expect(await put()).toMatchObject({ fault: null });
    stood.files[0]!.failed = 'Broken';
    expect(await put()).toMatchObject({ fault: null, file: stood.files[1]!.id });
    const [key] = stood.metafields.keys();
    for (const value of ['no id', productGid('8')]) {
      stood.metafields.set(key!, { ...stood.metafields.get(key!)!, value });
      expect(await put()).toMatchObject({ fault: null });
      expect(linked(stood)[0]!.value).toBe(stood.files.at(-1)!.id);
    }
  });

  it('is put by the form of its page', async () => {
    const { stood, desk, gccId } = await open('form');
    const form = new FormData();
    for (const [name, value] of Object.entries({ intent: 'put', certificate: gccId, file: '' })) form.set(name, value);
    const answer = await answerForm(desk, HELMET, form, options());
    expect(answer?.put).toMatchObject({ fault: null, file: stood.files[0]!.id });
  });
});

describe('a certificate that is not this product’s', () => {
  it('is refused before Shopify is asked: another shop’s, another product’s, a void one, none', async () => {
    const { desk, gccId, stood, put } = await open('owner');
    const other = await open('thief');
    const before = world.standIn.calls.length;
    const refused = async (own: Desk, product: string, id: string) =>
      (await putIntoShopify(own, product, { gccId: id, left: '' }, options())).fault;
    expect(await refused(other.desk, HELMET, gccId)).toBe('not_in_force');
    expect(await refused(desk, BOLT, gccId)).toBe('not_in_force');
    expect(await refused(desk, HELMET, 'no-such')).toBe('not_in_force');
    // Also where the notes of a shop say that another's were its own.
    await other.desk.merchant.shop.productCertificates.issued(HELMET, { gccId, by: '' });
    expect(await refused(other.desk, HELMET, gccId)).toBe('not_in_force');
    await voidCertificate(desk, HELMET, 'Wrong laboratory');
    expect((await put()).fault).toBe('not_in_force');
    expect(world.standIn.calls.length).toBe(before);
    expect([...stood.files, ...other.stood.files]).toEqual([]);
  });

  it('is not linked by the id of a file of something else', async () => {
    const { desk, stood, put } = await open('something');
    await put();
    const bolt = await issue(desk, BOLT);
    const outcome = await putIntoShopify(desk, BOLT, { gccId: bolt, left: stood.files[0]!.id }, options());
    expect(outcome).toMatchObject({ fault: null, file: stood.files[1]!.id });
  });
});

const OPERATIONS = ['CertificateLink', 'PdfStage', 'PdfFileCreate', 'FilePoll', 'CertificateLinkSet'];

describe('what goes wrong', () => {
  const cases: [PutFault, Fault][] = [
    ['forbidden', { kind: 'status', status: 403 }],
    ['frozen', { kind: 'status', status: 402 }],
    ['unavailable', { kind: 'status', status: 404 }],
    ['unexpected', { kind: 'error', code: 'NO_SUCH_CODE' }],
  ];
  it.each(cases.flatMap(([word, fault]) => OPERATIONS.map(operation => [word, operation, fault] as const)))(
    'is said as %s at %s, and the next try leaves one file',
    async (word, operation, fault) => {
      const { stood, put } = await open(`fault-${word}-${operation}`.toLowerCase());
      world.standIn.faults.plan(fault, { operation });
      const outcome = await put();
      expect(outcome.fault).toBe(word);
      expect(linked(stood)).toEqual([]);
      expect(await put(outcome.file ?? '')).toMatchObject({ fault: null });
      expect(stood.files).toHaveLength(1);
      expect(linked(stood)).toHaveLength(1);
    },
  );

  it.each(OPERATIONS)(
    'passes by itself at %s when Shopify throttles, fails for a moment or cuts the line',
    async operation => {
      const { stood, put } = await open(`passes-${operation}`.toLowerCase());
      world.standIn.faults.plan({ kind: 'throttled' }, { operation });
      world.standIn.faults.plan({ kind: 'status', status: 503 }, { operation });
      world.standIn.faults.plan({ kind: 'hangUp' }, { operation });
      expect(await put()).toMatchObject({ fault: null });
      expect(stood.files).toHaveLength(1);
    },
  );

  it.each(['PdfStage', 'PdfFileCreate', 'CertificateLinkSet'])(
    'is told in Shopify’s words when it refuses at %s',
    async operation => {
      const { stood, put } = await open(`refuses-${operation}`.toLowerCase());
      world.standIn.faults.plan({ kind: 'userErrors', message: 'The storage is full.' }, { operation });
      const outcome = await put();
      expect(outcome).toMatchObject({ fault: 'refused', message: 'The storage is full.' });
      expect(await put(outcome.file ?? '')).toMatchObject({ fault: null });
      expect(stood.files).toHaveLength(1);
    },
  );

  it('is a scope that was not granted, and nothing is linked', async () => {
    const noFiles = await open('no-files', ['write_products']);
    expect(await noFiles.put()).toMatchObject({ fault: 'forbidden', file: null });
    expect(noFiles.stood.files).toEqual([]);
    const noProducts = await open('no-products', ['write_files']);
    const outcome = await noProducts.put();
    expect(outcome).toMatchObject({ fault: 'forbidden', file: noProducts.stood.files[0]!.id });
    noProducts.stood.scopes.add('write_products');
    expect(await noProducts.put(outcome.file!)).toMatchObject({ fault: null });
    expect(noProducts.stood.files).toHaveLength(1);
  });

  it.each<Fault>([{ kind: 'status', status: 403 }, { kind: 'status', status: 500 }, { kind: 'hangUp' }])(
    'is an upload that is not taken (%o)',
    async fault => {
      const { stood, put } = await open(`upload-${'status' in fault ? fault.status : fault.kind}`.toLowerCase());
      world.standIn.faults.plan(fault, { operation: 'storage' });
      expect(await put()).toMatchObject({ fault: 'upload_refused', file: null });
      expect(asked('PdfFileCreate', stood)).toBe(0);
      expect(await put()).toMatchObject({ fault: null });
    },
  );

  it('is a file that failed, of which no more use is made', async () => {
    const { stood, put } = await open('file-fails');
    world.standIn.faults.plan({ kind: 'fileFails', message: 'Not a PDF' }, { operation: 'PdfFileCreate' });
    expect(await put()).toMatchObject({ fault: 'file_failed', file: null });
    expect(linked(stood)).toEqual([]);
    expect(await put(stood.files[0]!.id)).toMatchObject({ fault: null, file: stood.files[1]!.id });
  });

  it('is a file that takes its time: the next try goes on with it', async () => {
    const { stood, put } = await open('takes-time');
    const outcome = await put('', { patience: 0 });
    expect(outcome).toMatchObject({ fault: 'processing', file: stood.files[0]!.id });
    expect(linked(stood)).toEqual([]);
    expect(await put(outcome.file!)).toMatchObject({ fault: null, file: stood.files[0]!.id });
    expect(stood.files).toHaveLength(1);
  });

  it('is a product that names something else meanwhile: that is left as it is', async () => {
    const { stood, put } = await open('changed');
    await put();
    const [key] = stood.metafields.keys();
    stood.metafields.delete(key!);
    const theirs = { id: 'gid://shopify/Metafield/9', type: 'file_reference', value: 'gid://shopify/GenericFile/9' };
    beforeAsking = operation => {
      if (operation === 'CertificateLinkSet') stood.metafields.set(key!, theirs);
    };
    const outcome = await put(stood.files[0]!.id);
    expect(outcome).toMatchObject({ fault: 'changed_meanwhile', file: stood.files[0]!.id });
    expect(linked(stood)[0]!.value).toBe(theirs.value);
    beforeAsking = () => undefined;
    expect(await put(outcome.file!)).toMatchObject({ fault: null });
    expect(stood.files).toHaveLength(1);
  });

  it('is not an answer that was lost: what was linked by the first question is found by the second', async () => {
    const { stood, put } = await open('lost');
    await put();
    const [[key, value]] = [...stood.metafields] as [[string, { id: string; type: string; value: string }]];
    stood.metafields.delete(key);
    beforeAsking = operation => {
      if (operation === 'CertificateLinkSet') stood.metafields.set(key, value);
    };
    expect(await put(stood.files[0]!.id)).toMatchObject({ fault: null });
  });

  it('is a product that Shopify has no more', async () => {
    const { stood, put } = await open('gone');
    stood.products = stood.products.filter(({ id }) => id !== HELMET);
    expect(await put()).toMatchObject({ fault: 'gone', file: null });
  });

  it('is said at once when nobody waits for it any more', async () => {
    const { stood, put } = await open('aborts');
    const leaving = new AbortController();
    beforeAsking = operation => {
      if (operation === 'FilePoll') leaving.abort();
    };
    await expect(put('', { signal: leaving.signal })).rejects.toThrow(/abort/i);
    expect(linked(stood)).toEqual([]);
  });

  it('has a sentence for each in every language', () => {
    const words: Record<PutFault, true> = {
      ...{ throttled: true, revoked: true, forbidden: true, frozen: true, unavailable: true, unexpected: true },
      ...{ not_in_force: true, gone: true, refused: true, upload_refused: true, file_failed: true },
      ...{ processing: true, changed_meanwhile: true },
    };
    for (const { toShopify } of [english, deutsch, français, español, japanese])
      expect(Object.keys(toShopify.faults).sort()).toEqual(Object.keys(words).sort());
  });
});
