import * as asn1js from 'asn1js';
import {
  type CertBag,
  Certificate,
  createCMSECDSASignature,
  PFX,
  type PKCS8ShroudedKeyBag,
  type PrivateKeyInfo,
  type SafeContents,
} from 'pkijs';
import type { Signer } from './signer.ts';

/** Error thrown for a PKCS#12 file that can't be used. The message never contains the password. */
export class Pkcs12Error extends Error {
  override name = 'Pkcs12Error';
}

const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
const CURVES: Readonly<Record<string, string>> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
};

const SHROUDED_KEY = '1.2.840.113549.1.12.10.1.2';
const KEY = '1.2.840.113549.1.12.10.1.1';
const CERTIFICATE = '1.2.840.113549.1.12.10.1.3';

/**
 * Reads a private key and its certificates from a PKCS#12 file (.p12 or .pfx). The key stays in memory and can't be
 * exported.
 *
 * @param password the file's password, which is used only for decryption
 * @throws Pkcs12Error if the file isn't a PKCS#12 file, the password is wrong, the encryption or key type isn't
 * supported, or the file doesn't contain exactly one private key and its certificate
 * @example const signer = await signerFromPkcs12(await readFile('key.p12'), password);
 */
export async function signerFromPkcs12(file: Uint8Array, password: string): Promise<Signer> {
  const { keys, certificates } = await bagsOf(file, new TextEncoder().encode(password).buffer);
  const [info] = keys;
  if (!info || keys.length > 1) throw new Pkcs12Error(`the file has ${keys.length} private keys instead of one`);
  const { algorithmId, algorithmParams } = info.privateKeyAlgorithm;
  const curve = algorithmParams instanceof asn1js.ObjectIdentifier ? CURVES[algorithmParams.getValue()] : undefined;
  const algorithm =
    algorithmId === RSA
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : algorithmId === EC && curve !== undefined
        ? { name: 'ECDSA', namedCurve: curve, hash: 'SHA-256' }
        : null;
  if (!algorithm)
    throw new Pkcs12Error('the private key must be an RSA key or an EC key on the P-256, P-384, or P-521 curve');
  const key = await crypto.subtle.importKey('pkcs8', info.toSchema().toBER(), algorithm, false, ['sign']);
  const sign = async (_: Uint8Array, message: Uint8Array) =>
    new Uint8Array(await crypto.subtle.sign(algorithm, key, message.slice()));
  return {
    certificates: chainOf(certificates, await ownerOf(certificates, sign, algorithm)),
    ...(algorithm.name === 'ECDSA'
      ? {
          algorithm: 'ecdsa-sha256',
          sign: async (digest, message) =>
            new Uint8Array(createCMSECDSASignature((await sign(digest, message)).buffer)),
        }
      : { algorithm: 'rsa-sha256', sign }),
  };
}

async function bagsOf(file: Uint8Array, password: ArrayBuffer) {
  const keys: PrivateKeyInfo[] = [];
  const certificates: Certificate[] = [];
  for (const { value } of await safeContentsOf(file, password)) {
    for (const { bagId, bagValue } of value.safeBags) {
      if (bagId === KEY) keys.push(bagValue as PrivateKeyInfo);
      else if (bagId === CERTIFICATE) {
        const { parsedValue } = bagValue as CertBag;
        if (parsedValue instanceof Certificate) certificates.push(parsedValue);
      } else if (bagId === SHROUDED_KEY) keys.push(await decryptedKey(bagValue as PKCS8ShroudedKeyBag, password));
    }
  }
  return { keys, certificates };
}

async function safeContentsOf(file: Uint8Array, password: ArrayBuffer): Promise<{ value: SafeContents }[]> {
  let pfx: PFX;
  try {
    pfx = PFX.fromBER(file.slice());
  } catch {
    throw new Pkcs12Error('the file isn’t a PKCS#12 file');
  }
  try {
    await pfx.parseInternalValues({ password, checkIntegrity: true });
    const safe = pfx.parsedValue!.authenticatedSafe!;
    await safe.parseInternalValues({ safeContents: safe.safeContents.map(() => ({ password })) });
    return safe.parsedValue.safeContents;
  } catch (error) {
    throw unreadable(error);
  }
}

async function decryptedKey(bag: PKCS8ShroudedKeyBag, password: ArrayBuffer): Promise<PrivateKeyInfo> {
  // `parseInternalValues` is protected, but there's no other way to read encrypted keys.
  const readable = bag as unknown as { parseInternalValues(options: { password: ArrayBuffer }): Promise<void> };
  try {
    await readable.parseInternalValues({ password });
  } catch (error) {
    throw unreadable(error);
  }
  return bag.parsedValue!;
}

function unreadable(error: unknown): Pkcs12Error {
  const { message } = error as Error;
  if (/algorithm|encrypt.*scheme|unsupported/i.test(message))
    return new Pkcs12Error(
      'the file’s encryption isn’t supported. Export the key again with AES, as OpenSSL 3 does by default: openssl pkcs12 -export',
    );
  return new Pkcs12Error('the password is wrong, or the file is damaged');
}

/** Returns the private key's certificate: the one whose public key verifies the private key's signatures. */
async function ownerOf(
  certificates: readonly Certificate[],
  sign: Signer['sign'],
  algorithm: { name: string; hash: string },
): Promise<Certificate> {
  const probe = new TextEncoder().encode('certificate');
  const signature = await sign(probe, probe);
  for (const certificate of certificates) {
    const spki = certificate.subjectPublicKeyInfo.toSchema().toBER();
    const key = await crypto.subtle.importKey('spki', spki, algorithm, false, ['verify']).catch(() => null);
    if (key && (await crypto.subtle.verify(algorithm, key, signature.slice(), probe))) return certificate;
  }
  throw new Pkcs12Error('the file doesn’t contain the certificate for its private key');
}

/**
 * Returns the DER-encoded certificate chain from the private key's certificate to the last issuer in the file, without
 * a self-signed root.
 */
function chainOf(certificates: readonly Certificate[], owner: Certificate): [Uint8Array, ...Uint8Array[]] {
  const chain: [Certificate, ...Certificate[]] = [owner];
  for (let last = owner; chain.length <= certificates.length; ) {
    const { issuer } = last;
    const next = certificates.find(each => each.subject.isEqual(issuer) && !each.issuer.isEqual(each.subject));
    if (!next || chain.includes(next)) break;
    chain.push(next);
    last = next;
  }
  return chain.map(each => new Uint8Array(each.toSchema().toBER())) as [Uint8Array, ...Uint8Array[]];
}
