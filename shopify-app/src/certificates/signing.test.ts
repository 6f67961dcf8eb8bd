import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleShop } from '@compliance/fake-shopify';
import { readSignature } from '@compliance/signing';
import { createTestAuthority, PASSWORD } from '@compliance/signing/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { openSigningKey } from '../context/config.ts';
import { type IssuingContext, issuingContext } from './certificate-context.ts';
import { loadProductCertificate, saveDraft, startDraft } from './drafts.ts';
import { certificatePdf, issueDraft } from './issue.ts';
import { productOf } from './product.ts';
import { FILLED, HELMET } from './testing/helmet.ts';

const SIGNED = { agreed: true, name: 'Robin Keeper', title: '' };
const authority = createTestAuthority();
const keyFile = `${authority.folder}/app.p12`;

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
  await writeFile(keyFile, authority.pkcs12('p256'));
});
afterAll(async () => {
  await harness.close();
  authority.stop();
});

/** Starts a complete draft for the helmet in a new shop. */
async function open(name: string, sign: IssuingContext['sign']): Promise<{ context: IssuingContext; draft: string }> {
  const { domain } = await harness.install(sampleShop(name));
  const merchant = { ...harness.app.offlineContext(domain), user: '42' };
  const context = { ...issuingContext({ app: harness.app, merchant }), baseUrl: 'https://verify.example', sign };
  await startDraft(context, HELMET);
  const { id: draft } = (await loadProductCertificate(context, HELMET)).draft as { id: string };
  await saveDraft(context, HELMET, draft, JSON.stringify(FILLED));
  return { context, draft };
}

describe('signing certificates', () => {
  it('signs a certificate with the operator’s key and a timestamp, and shows the signer and the time', async () => {
    const timestampUrl = await authority.startTimestamps();
    const { context, draft } = await open('signs', await openSigningKey({ keyFile, password: PASSWORD, timestampUrl }));
    expect(await issueDraft(context, HELMET, draft, SIGNED)).toEqual({ issued: draft });
    const pdf = await (await certificatePdf(context, draft))!.arrayBuffer();
    const { timestamp, ...facts } = (await readSignature(new Uint8Array(pdf)))!;
    expect(facts).toEqual({ intact: true, covers_file: true, signer: 'Dana Whitfield p256', issuer: 'Test CA' });
    const view = { signer: 'Dana Whitfield p256', at: Date.parse(timestamp!), hasTimestamp: true, isIntact: true };
    expect((await productOf(context, '8'))!.current!.signature).toEqual(view);
    // The certificate's signature is still shown after the operator removes the key.
    expect((await productOf({ ...context, sign: null }, '8'))!.current!.signature).toEqual(view);
  });

  it('shows the time of issue if there’s no timestamp, and no signature if the certificate isn’t signed', async () => {
    const { context, draft } = await open('no-timestamp', await openSigningKey({ keyFile, password: PASSWORD }));
    await issueDraft(context, HELMET, draft, SIGNED);
    const { signature, issuedAt } = (await productOf(context, '8'))!.current!;
    expect(signature).toEqual({ signer: 'Dana Whitfield p256', at: issuedAt, hasTimestamp: false, isIntact: true });
    const unsigned = await open('unsigned', null);
    await issueDraft(unsigned.context, HELMET, unsigned.draft, SIGNED);
    expect((await productOf(unsigned.context, '8'))!.current!.signature).toBeNull();
  });

  it('reports that a signature can’t be read if the PDF is damaged', async () => {
    const { context, draft } = await open('damaged', await openSigningKey({ keyFile, password: PASSWORD }));
    await issueDraft(context, HELMET, draft, SIGNED);
    const { sha256 } = (await harness.store.certificates.get(draft))!;
    const path = join(harness.dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), `${sha256}.pdf`);
    await writeFile(path, 'damaged');
    expect((await productOf(context, '8'))!.current!.signature).toBe('unreadable');
  });

  it('keeps the draft if the certificate can’t be signed, and issues the certificate once signing works', async () => {
    const down = await openSigningKey({ keyFile, password: PASSWORD, timestampUrl: 'http://127.0.0.1:9/tsr' });
    const { context, draft } = await open('down', down);
    const failures: unknown[] = [];
    const logFailure = (error: unknown, where: object) => failures.push({ name: (error as Error).name, ...where });
    expect(await issueDraft({ ...context, logFailure }, HELMET, draft, SIGNED)).toEqual({
      refused: 'timestamp_failed',
    });
    expect(failures).toEqual([{ name: 'TimestampError', certificate: draft }]);
    const broken = () => Promise.reject(new Error('the key is unavailable'));
    expect(await issueDraft({ ...context, logFailure, sign: broken }, HELMET, draft, SIGNED)).toEqual({
      refused: 'signature_failed',
    });
    const view = (await productOf(context, '8'))!;
    expect(view.current).toBeNull();
    expect(view.draft).toMatchObject({ id: draft, fields: FILLED });
    const sign = await openSigningKey({ keyFile, password: PASSWORD });
    expect(await issueDraft({ ...context, sign }, HELMET, draft, SIGNED)).toEqual({ issued: draft });
  });
});

describe('signing settings', () => {
  it('explains why a key can’t be used, without revealing the password', async () => {
    for (const [settings, message] of [
      [{ keyFile, password: 'hunter2-secret' }, 'COMPLIANCE_SIGNING_KEY can’t be used: the password is wrong'],
      [{ keyFile: `${keyFile}x`, password: PASSWORD }, 'COMPLIANCE_SIGNING_KEY can’t be used: ENOENT'],
      [{ keyFile, password: PASSWORD, timestampUrl: 'tsa' }, 'COMPLIANCE_TIMESTAMP can’t be used: enter a URL'],
    ] as const) {
      const error: Error = await openSigningKey(settings).then(
        () => expect.unreachable(),
        failure => failure,
      );
      expect(error.message).toContain(message);
      expect(error.message).not.toContain(settings.password);
    }
  });
});
