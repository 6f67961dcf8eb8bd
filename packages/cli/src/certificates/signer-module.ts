import { createHash, verify, X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Signer } from '@compliance/signing';
import { CliError } from '../cli-error.ts';

/** Test message, signed when a module is loaded so that a wrong key is detected before any certificate is signed. */
const PROBE = Buffer.from('compliance signer check');

/**
 * Loads a signer from a JavaScript module, whose default export is a `Signer` or a function that returns one. Tests the
 * signer by signing a message. Error messages from the module are never shown, because they can contain secrets such
 * as a PIN.
 *
 * @throws CliError if the module can't be loaded, doesn't export a signer, or signs with a key that doesn't match its
 * certificate
 * @example const signer = await signerFromModule('./signer.mjs');
 */
export async function signerFromModule(file: string): Promise<Signer> {
  const loaded: unknown = await withoutMessage(`Can't load the signer in ${file}`, async () => {
    const { default: exported } = (await import(pathToFileURL(resolve(file)).href)) as { default: unknown };
    return typeof exported === 'function' ? await exported() : exported;
  });
  if (!isSigner(loaded))
    throw new CliError(
      `The default export of ${file} isn't a signer. Export an object with \`certificates\`, \`algorithm\`, and \`sign\` fields, or a function that returns one.`,
    );
  const signer: Signer = {
    certificates: loaded.certificates,
    algorithm: loaded.algorithm,
    sign: (digest, message) =>
      withoutMessage(
        `The signer in ${file} can't sign`,
        async () => new Uint8Array(await loaded.sign(digest, message)),
      ),
  };
  const signature = await signer.sign(createHash('sha256').update(PROBE).digest(), PROBE);
  if (!matches(signer, signature))
    throw new CliError(
      `The signer in ${file} signs with a key that doesn't match its first certificate, or with an algorithm other than ${signer.algorithm}.`,
    );
  return signer;
}

/** Runs a module function and replaces its errors with errors that don't include the module's messages. */
async function withoutMessage<Result>(problem: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
    const kind = [code, name].find(each => typeof each === 'string' && /^\w{1,60}$/.test(each)) ?? 'unknown error';
    throw new CliError(`${problem}: ${kind}. The error message is hidden, because it might contain secrets.`);
  }
}

function isSigner(value: unknown): value is Signer {
  const { certificates, algorithm, sign } = (value ?? {}) as Partial<Record<keyof Signer, unknown>>;
  return (
    Array.isArray(certificates) &&
    certificates.length > 0 &&
    certificates.every(each => each instanceof Uint8Array) &&
    (algorithm === 'rsa-sha256' || algorithm === 'ecdsa-sha256') &&
    typeof sign === 'function'
  );
}

function matches({ certificates, algorithm }: Signer, signature: Uint8Array): boolean {
  try {
    const { publicKey } = new X509Certificate(certificates[0]);
    const keyType = { 'rsa-sha256': 'rsa', 'ecdsa-sha256': 'ec' }[algorithm];
    return publicKey.asymmetricKeyType === keyType && verify('sha256', PROBE, publicKey, signature);
  } catch {
    return false;
  }
}
