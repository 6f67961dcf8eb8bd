import { certificate, openFonts, readCertificateFile, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { fromBER } from 'asn1js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  readSignature,
  type Signer,
  signerExpiry,
  signerFromPkcs12,
  signPdf,
  TimestampError,
  timestampAuthority,
} from './index.ts';
import { createTestAuthority, type KeyType, PASSWORD } from './testing/openssl.ts';
import { sampleContext, sampleRequests } from './testing/samples.ts';

const AT = sampleContext.issuedAt;
const authority = createTestAuthority();
let pdf: Uint8Array;
let signer: Signer;
beforeAll(async () => {
  pdf = await render(certificate(sampleRequests.gcc, sampleContext), openFonts(loadFace));
  signer = await signerFromPkcs12(authority.pkcs12('rsa'), PASSWORD);
});
afterAll(() => authority.stop());

describe('signPdf', () => {
  it.each<KeyType>(['rsa', 'p256', 'p384'])('signs with a key of type %s and keeps the original bytes', async type => {
    const signed = await signPdf(pdf, await signerFromPkcs12(authority.pkcs12(type), PASSWORD), { at: AT });
    expect(signed.subarray(0, pdf.length)).toEqual(pdf);
    expect(await readSignature(signed)).toEqual({
      ...{ intact: true, covers_file: true, timestamp: null },
      ...{ signer: `Dana Whitfield ${type}`, issuer: 'Test CA' },
    });
    expect(readCertificateFile(signed).id).toBe(sampleContext.id);
  });

  it('adds a timestamp with the current time', async () => {
    const timestamp = timestampAuthority(await authority.startTimestamps());
    const signed = await signPdf(pdf, signer, { at: AT, timestamp });
    const { intact, timestamp: time } = (await readSignature(signed))!;
    expect(intact).toBe(true);
    expect(Math.abs(Date.parse(time!) - Date.now())).toBeLessThan(60_000);
  });

  it('rejects a timestamp for another request', async () => {
    let first: Buffer | undefined;
    const url = await authority.startTimestamps(response => {
      first ??= response;
      return first;
    });
    await signPdf(pdf, signer, { at: AT, timestamp: timestampAuthority(url) });
    const again = signPdf(pdf, signer, { at: '2026-11-22T09:00:00Z', timestamp: timestampAuthority(url) });
    await expect(again).rejects.toThrow('the timestamp doesn’t match the request');
  });

  it('passes a 32-byte digest to a custom signer', async () => {
    const digests: Uint8Array[] = [];
    const remote: Signer = {
      ...signer,
      sign(digest, message) {
        digests.push(digest);
        return signer.sign(digest, message);
      },
    };
    expect((await readSignature(await signPdf(pdf, remote, { at: AT })))?.intact).toBe(true);
    expect(digests.map(({ length }) => length)).toEqual([32]);
  });

  it('fails if the timestamp authority can’t be reached, instead of signing without a timestamp', async () => {
    const timestamp = timestampAuthority('http://127.0.0.1:9/');
    await expect(signPdf(pdf, signer, { at: AT, timestamp })).rejects.toThrow(TimestampError);
    await expect(signPdf(pdf, signer, { at: AT, timestamp })).rejects.toThrow(
      'the timestamp authority can’t be reached',
    );
  });

  it('refuses to sign after the signing certificate has expired', async () => {
    const at = new Date(signerExpiry(signer).getTime() + 1000).toISOString();
    await expect(signPdf(pdf, signer, { at })).rejects.toThrow(/the signing certificate expired on \d{4}-\d\d-\d\d/);
  });

  it('refuses to sign a file twice', async () => {
    const signed = await signPdf(pdf, signer, { at: AT });
    await expect(signPdf(signed, signer, { at: AT })).rejects.toThrow('already has a form or a signature');
  });
});

describe('readSignature', () => {
  it('detects a changed byte in each part of the file', async () => {
    const signed = await signPdf(pdf, signer, { at: AT });
    const text = new TextDecoder('latin1').decode(signed);
    const start = text.indexOf('<', text.indexOf('/Contents', text.lastIndexOf('/ByteRange'))) + 1;
    const digits = text.slice(start, text.indexOf('>', start));
    const end = start + 2 * fromBER(new Uint8Array(Buffer.from(digits, 'hex'))).offset;
    const parts = {
      'original file': Math.floor(pdf.length / 2),
      'signer’s certificate': start + Math.floor((end - start) / 3),
      // The CMS structure ends with the RSA signature, which is 256 bytes (512 hexadecimal digits) long.
      signature: end - 256,
      'space after the signature': end + 100,
      'end of the file': signed.length - 10,
    };
    for (const [part, at] of Object.entries(parts)) {
      const digit = signed[at] === 0x30 ? 0x31 : 0x30;
      expect((await readSignature(signed.with(at, digit)))?.intact ?? false, part).toBe(false);
    }
  });

  it('reports content that was added after the signature', async () => {
    const signed = await signPdf(pdf, signer, { at: AT });
    const extended = new Uint8Array([...signed, 10]);
    expect(await readSignature(extended)).toMatchObject({ intact: true, covers_file: false });
  });

  it.each([
    ['an unsigned file', () => pdf, null],
    ['an empty file', () => new Uint8Array(), null],
    ['a forged byte range', () => new TextEncoder().encode('/ByteRange [0 9 99 9999999999]'), false],
    ['a forged signature', () => new TextEncoder().encode('/ByteRange [0 30 38 1]<300080>x'), false],
  ])('finds no valid signature in %s', async (_, bytes, expected) => {
    expect((await readSignature(bytes()))?.intact ?? null).toBe(expected);
  });
});

describe('signerFromPkcs12', () => {
  it('omits the self-signed root certificate from the signer’s certificates', () => {
    expect(signer.certificates).toHaveLength(1);
  });

  it.each([
    ['a wrong password', () => authority.pkcs12('rsa'), 'fence', 'the password is wrong, or the file is damaged'],
    ['a file in another format', () => Buffer.from('key'), PASSWORD, 'isn’t a PKCS#12 file'],
    ['a file without a key', () => authority.pkcs12('rsa', '-nokeys'), PASSWORD, 'has 0 private keys'],
    [
      'OpenSSL 1 encryption',
      () => authority.pkcs12('rsa', '-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'),
      PASSWORD,
      'Export the key again with AES',
    ],
  ])('rejects %s with an explanation that doesn’t contain the password', async (_, file, password, message) => {
    const error = await signerFromPkcs12(file(), password).catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'Pkcs12Error', message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain(password);
  });
});
