import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate, openFonts, render, SAMPLE_REQUEST } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { readSignature } from '@compliance/signing';
import { afterAll, describe, expect, it } from 'vitest';
import { signerFromModule } from './signer-module.ts';
import { openSigner } from './signing.ts';

const folder = mkdtempSync(join(tmpdir(), 'compliance-signer-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of ['key', 'other']) {
  const create = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  const files = ['-keyout', join(folder, `${name}.pem`), '-out', join(folder, `${name}.crt`)];
  execFileSync('openssl', [...create, ...files, '-subj', `/CN=Holder of ${name}`], { stdio: 'pipe' });
}

let count = 0;
/** Writes a module with the specified default export and returns the module's path. */
function moduleOf(exported: string): string {
  const file = join(folder, `signer-${++count}.mjs`);
  const helpers = `import { sign as signWith, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
const bytesOf = name => readFileSync(new URL(name, import.meta.url));
const certificateOf = name => new Uint8Array(new X509Certificate(bytesOf(name)).raw);
const signatureOf = (name, message) => signWith('sha256', message, bytesOf(name));
`;
  writeFileSync(file, `${helpers}export default ${exported};\n`);
  return file;
}
const signerOf = (key: string, algorithm = 'ecdsa-sha256') =>
  `{ certificates: [certificateOf('./key.crt')], algorithm: '${algorithm}', sign: async (_, message) => signatureOf('./${key}.pem', message) }`;

describe('a signer from a module', () => {
  it.each([
    ['an object', signerOf('key')],
    ['an asynchronous function that returns an object', `async () => (${signerOf('key')})`],
  ])('signs a certificate if the default export is %s', async (_, exported) => {
    const sign = await openSigner({ signer: moduleOf(exported) });
    const issuedAt = new Date().toISOString();
    const context = { id: crypto.randomUUID(), issuedAt, today: issuedAt.slice(0, 10), verificationUrl: null };
    const pdf = await render(certificate(SAMPLE_REQUEST, context), openFonts(loadFace));
    expect(await readSignature(await sign!(pdf, { at: issuedAt }))).toMatchObject({
      ...{ intact: true, covers_file: true, signer: 'Holder of key' },
    });
  });

  it.each([
    ['has no certificates', `{ certificates: [], algorithm: 'ecdsa-sha256', sign() {} }`, "isn't a signer"],
    ['has an unknown algorithm', signerOf('key', 'md5'), "isn't a signer"],
    ['isn’t an object', '5', "isn't a signer"],
    ['signs with another key', signerOf('other'), "signs with a key that doesn't match its first certificate"],
    ['states another algorithm', signerOf('key', 'rsa-sha256'), 'an algorithm other than rsa-sha256'],
    [
      'has an unreadable certificate',
      `{ certificates: [new Uint8Array(9)], algorithm: 'ecdsa-sha256', sign: async (_, message) => signatureOf('./key.pem', message) }`,
      "signs with a key that doesn't match its first certificate",
    ],
  ])('is rejected if it %s', async (_, exported, problem) => {
    await expect(signerFromModule(moduleOf(exported))).rejects.toThrow(problem);
  });

  it.each([
    ['loaded', `await Promise.reject(Object.assign(new Error('PIN 73914 is wrong'), { code: 'CKR_PIN_INCORRECT' }))`],
    ['opened', `() => { throw Object.assign(new Error('PIN 73914 is wrong'), { code: 'CKR_PIN_INCORRECT' }) }`],
    [
      'used',
      `{ certificates: [certificateOf('./key.crt')], algorithm: 'ecdsa-sha256', sign() { throw Object.assign(new Error('PIN 73914 is wrong'), { code: 'CKR_PIN_INCORRECT' }) } }`,
    ],
  ])('hides the module’s error message, which can contain secrets, if the signer can’t be %s', async (_, exported) => {
    const message = await signerFromModule(moduleOf(exported)).then(
      () => 'loaded',
      (error: Error) => error.message,
    );
    expect(message).toContain('CKR_PIN_INCORRECT');
    expect(message).not.toContain('73914');
  });

  it('is reported as missing if the file doesn’t exist', async () => {
    await expect(signerFromModule(join(folder, 'missing.mjs'))).rejects.toThrow('ERR_MODULE_NOT_FOUND');
  });

  it('can’t be combined with a key file', async () => {
    await expect(openSigner({ sign: 'key.p12', signer: 'signer.mjs' })).rejects.toThrow('either --sign or --signer');
  });
});
