import { createHash } from 'node:crypto';
import { readCertificateFile } from '@compliance/core/entry';
import { sampleShop } from '@compliance/fake-shopify';
import type { Shop } from '@compliance/store/shop';
import { describeWithPostgres } from '@compliance/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { type AttachmentResult, handleAttachments } from './attachments.ts';
import { type IssuingContext, issuingContext } from './certificate-context.ts';
import { deleteStaleFiles, MAX_DRAFT_BYTES } from './draft-files.ts';
import { loadProductCertificate, saveDraft, startDraft } from './drafts.ts';
import { handleForm } from './form.ts';
import { certificatePdf, issueDraft, previewPdf } from './issue.ts';
import { productOf } from './product.ts';
import { FILLED, HELMET } from './testing/helmet.ts';

const SIGNED = { agreed: true, name: 'Robin Keeper', title: '' };
const REPORT = Buffer.from('%PDF-1.7 test report');
const PHOTO = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function registerAttachments(createHarness: () => Promise<JobHarness>): void {
  let harness: JobHarness;
  beforeAll(async () => {
    harness = await createHarness();
  });
  afterAll(() => harness.close());

  /** Starts a complete draft for the helmet in a new shop. */
  async function open(name: string): Promise<{ context: IssuingContext; shop: Shop; draft: string }> {
    const { domain } = await harness.install(sampleShop(name));
    const merchant = { ...harness.app.offlineContext(domain), user: '42' };
    const context = { ...issuingContext({ app: harness.app, merchant }), baseUrl: 'https://verify.example' };
    return { context, shop: merchant.shop, draft: await drafted(context) };
  }

  async function drafted(context: IssuingContext): Promise<string> {
    await startDraft(context, HELMET);
    const { id } = (await loadProductCertificate(context, HELMET)).draft as { id: string };
    await saveDraft(context, HELMET, id, JSON.stringify(FILLED));
    return id;
  }

  async function attach(
    context: IssuingContext,
    draft: string,
    ...files: readonly (readonly [name: string, bytes: Buffer])[]
  ): Promise<AttachmentResult> {
    const form = new FormData();
    form.set('intent', 'attach');
    form.set('draft', draft);
    for (const [name, bytes] of files) form.append('files', new File([new Uint8Array(bytes)], name));
    return (await handleAttachments(context, HELMET, form))!;
  }

  async function remove(context: IssuingContext, draft: string, id: string): Promise<void> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ intent: 'remove', draft, id })) form.set(name, value);
    await handleAttachments(context, HELMET, form);
  }

  const pdfOf = async (response: Response | null) => new Uint8Array(await response!.arrayBuffer());

  it('shows a draft’s files, and attaches the remaining files to the issued certificate after a removal', async () => {
    const { context, draft } = await open('attach');
    const files = [['Prüfbericht.pdf', REPORT] as const, ['photo.png', PHOTO] as const];
    expect(await attach(context, draft, ...files)).toEqual({ draft, faults: [] });
    const { files: shown } = (await productOf(context, '8'))!.draft!;
    expect(shown).toMatchObject([
      { filename: 'Prüfbericht.pdf', size: REPORT.length, sha256: sha256(REPORT) },
      { filename: 'photo.png', size: PHOTO.length, sha256: sha256(PHOTO) },
    ]);
    expect(readCertificateFile(await pdfOf(await previewPdf(context, HELMET))).record?.attachments).toHaveLength(2);
    await remove(context, draft, shown[1]!.id);

    expect(await issueDraft(context, HELMET, draft, SIGNED)).toEqual({ issued: draft });
    const facts = { filename: 'Prüfbericht.pdf', size: REPORT.length, sha256: sha256(REPORT) };
    expect((await productOf(context, '8'))!.current!.files).toEqual([facts]);
    const { record } = readCertificateFile(await pdfOf(await certificatePdf(context, draft)));
    expect(record?.attachments).toEqual([{ ...facts, media_type: 'application/pdf' }]);
  });

  it('copies a certificate’s files to its replacement draft', async () => {
    const { context, draft } = await open('replace');
    await attach(context, draft, ['report.pdf', REPORT], ['photo.png', PHOTO]);
    await issueDraft(context, HELMET, draft, SIGNED);
    const next = await drafted(context);
    expect(next).not.toBe(draft);
    expect((await productOf(context, '8'))!.draft!.files).toMatchObject([
      { filename: 'report.pdf', sha256: sha256(REPORT) },
      { filename: 'photo.png', sha256: sha256(PHOTO) },
    ]);
    expect(await issueDraft(context, HELMET, next, SIGNED)).toEqual({ issued: next });
  });

  it('reports why it rejects a file, and attaches the other files', async () => {
    const { context, draft } = await open('faults');
    const half = Buffer.concat([REPORT, Buffer.alloc(MAX_DRAFT_BYTES / 2)]);
    const { faults } = await attach(
      context,
      draft,
      ...([
        ['report.pdf', REPORT],
        ['REPORT.PDF', PHOTO],
        ['REPORT.PDF', REPORT],
        ['macro.docm', REPORT],
        ['photo.png', REPORT],
        ['../../report.pdf', REPORT],
        ['\u202efdp.exe.pdf', REPORT],
        ['half.pdf', half],
        ['other half.pdf', half],
      ] as const),
    );
    expect(faults.map(({ filename, code }) => `${filename} ${code}`)).toEqual([
      'REPORT.PDF type',
      'REPORT.PDF same_name',
      'macro.docm type',
      'photo.png type',
      '../../report.pdf name',
      '\u202efdp.exe.pdf name',
      'other half.pdf too_large',
    ]);
    const { files } = (await productOf(context, '8'))!.draft!;
    expect(files.map(({ filename }) => filename)).toEqual(['report.pdf', 'half.pdf']);
    const many = Array.from({ length: 20 }, (_, at) => [`${at}.pdf`, REPORT] as const);
    const more = await attach(context, draft, ...many);
    expect(more.faults.map(({ filename, code }) => `${filename} ${code}`)).toEqual([
      '18.pdf too_many_files',
      '19.pdf too_many_files',
    ]);
  });

  it('doesn’t attach files to a discarded draft, and deletes a discarded draft’s files', async () => {
    const { context, shop, draft } = await open('discard');
    await attach(context, draft, ['report.pdf', REPORT]);
    const [file] = await shop.draftAttachments.list(draft);
    const form = new FormData();
    form.set('intent', 'discard');
    form.set('draft', draft);
    await handleForm(context, HELMET, form, { audit: harness.store.audit, signal: new AbortController().signal });
    expect(await shop.draftAttachments.bytes(file!)).toBeNull();
    const { faults } = await attach(context, draft, ['report.pdf', REPORT]);
    expect(faults).toEqual([{ filename: 'report.pdf', code: 'gone' }]);
    expect(await shop.draftAttachments.drafts()).toEqual([]);
  });

  it('deletes the files of issued drafts in the nightly job, but keeps the files of other drafts', async () => {
    const { context, shop, draft } = await open('stale');
    await attach(context, draft, ['report.pdf', REPORT]);
    await issueDraft(context, HELMET, draft, SIGNED);
    const next = await drafted(context);
    await deleteStaleFiles(shop);
    expect(await shop.draftAttachments.drafts()).toEqual([{ draftId: next, productId: HELMET }]);
  });

  it('doesn’t issue a certificate if an attached file was lost, and keeps the draft', async () => {
    const { context, shop, draft } = await open('lost');
    await attach(context, draft, ['report.pdf', REPORT]);
    const [file] = await shop.draftAttachments.list(draft);
    await harness.store.blobs.files.remove(`drafts/${shop.domain}/${draft}/${file!.id}`);
    expect(await issueDraft(context, HELMET, draft, SIGNED)).toEqual({ refused: 'file_lost' });
    expect(await previewPdf(context, HELMET)).toBeNull();
    await remove(context, draft, file!.id);
    expect(await issueDraft(context, HELMET, draft, SIGNED)).toEqual({ issued: draft });
  });

  it('doesn’t read or remove another shop’s files', async () => {
    const [alpha, beta] = [await open('alpha-files'), await open('beta-files')];
    await attach(alpha.context, alpha.draft, ['report.pdf', REPORT]);
    const [file] = await alpha.shop.draftAttachments.list(alpha.draft);
    expect((await attach(beta.context, alpha.draft, ['report.pdf', REPORT])).faults).toMatchObject([{ code: 'gone' }]);
    await remove(beta.context, alpha.draft, file!.id);
    expect(await beta.shop.draftAttachments.bytes(file!)).toBeNull();
    expect(await alpha.shop.draftAttachments.list(alpha.draft)).toEqual([file]);
  });
}

describe('attachments on SQLite', () => registerAttachments(createJobHarness));
await describeWithPostgres('attachments on PostgreSQL', startFresh => {
  registerAttachments(async () => {
    const { url, stop } = await startFresh();
    const harness = await createJobHarness(undefined, url);
    return { ...harness, close: () => harness.close().finally(stop) };
  });
});
