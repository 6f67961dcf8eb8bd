import * as asn1js from 'asn1js';
import { type Certificate, ContentInfo, SignedData, type SignerInfo, TSTInfo } from 'pkijs';
import { holderName } from './holder-name.ts';
import { sha256 } from './sha256.ts';

/** Properties of the last signature in a PDF. They don't indicate whether the signer's certificate is trusted. */
export interface PdfSignature {
  /**
   * Whether the signed bytes are unchanged, the signature matches the certificate's key, and the timestamp (if any) is
   * valid.
   */
  readonly intact: boolean;
  /** Whether the signature covers the whole file. If not, content was added after the signature. */
  readonly covers_file: boolean;
  /** Names of the signer and the issuer in the signer's certificate, or null if the signature can't be verified. */
  readonly signer: string | null;
  readonly issuer: string | null;
  /** Time in the timestamp, in RFC 3339 format, or null if the signature has no valid timestamp. */
  readonly timestamp: string | null;
}

/** Maximum size of a signature, in bytes. */
const MOST_BYTES = 256 * 1024;

const TIMESTAMP_TOKEN = '1.2.840.113549.1.9.16.2.14';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.47';

/**
 * Reads and checks the last signature in a PDF, or returns null if the file isn't signed. Accepts untrusted files. The
 * check proves only that the signed bytes are unchanged since the owner of the certificate's key signed them. Anyone
 * can create a certificate with any name.
 *
 * @example (await readSignature(pdf))?.intact // true
 */
export async function readSignature(pdf: Uint8Array): Promise<PdfSignature | null> {
  const text = new TextDecoder('latin1').decode(pdf);
  const range = /^\/ByteRange ?\[ ?0 (\d{1,10}) (\d{1,10}) (\d{1,10}) *\]/.exec(
    text.slice(text.lastIndexOf('/ByteRange'), text.lastIndexOf('/ByteRange') + 100),
  );
  if (!range) return null;
  const [length, start, rest] = range.slice(1).map(Number) as [number, number, number];
  const end = start + rest;
  const cms = length < start && start - length <= 2 * MOST_BYTES + 2 ? hexBytes(text.slice(length, start)) : null;
  const failed = { intact: false, covers_file: end === pdf.length, signer: null, issuer: null, timestamp: null };
  if (!cms || end > pdf.length) return failed;
  const message = new Uint8Array(length + rest);
  message.set(pdf.subarray(0, length));
  message.set(pdf.subarray(start, end), length);
  try {
    return { ...failed, ...(await check(cms, message)) };
  } catch {
    // The ASN.1 structures can be invalid in many ways, and `pkijs` also throws an error if a signature doesn't match.
    return failed;
  }
}

async function check(cms: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<Partial<PdfSignature>> {
  const signed = new SignedData({ schema: ContentInfo.fromBER(cms).content });
  const { signatureVerified, signerCertificate } = await signed.verify({
    ...{ signer: 0, data: message.buffer, extendedMode: true as const },
  });
  const [info] = signed.signerInfos;
  if (!signatureVerified || !signerCertificate || !info || !(await namesCertificate(info, signerCertificate)))
    return {};
  const token = info.unsignedAttrs?.attributes.find(({ type }) => type === TIMESTAMP_TOKEN)?.values[0];
  const timestamp = token ? await timeOf(token, info) : null;
  return {
    intact: !token || timestamp !== null,
    signer: holderName(signerCertificate.subject),
    issuer: holderName(signerCertificate.issuer),
    timestamp,
  };
}

/**
 * Returns whether the signed attributes contain the hash of the signer's certificate. Without the hash, someone could
 * change the names in the certificate without changing its key.
 */
async function namesCertificate({ signedAttrs }: SignerInfo, certificate: Certificate): Promise<boolean> {
  const attribute = signedAttrs?.attributes.find(({ type }) => type === SIGNING_CERTIFICATE);
  const encoded = Buffer.from(attribute?.values[0]?.toBER() ?? []);
  return encoded.includes(await sha256(new Uint8Array(certificate.toSchema().toBER())));
}

/** Returns the time in a signature's timestamp, or null if the timestamp isn't valid for the signature. */
async function timeOf(token: unknown, { signature }: SignerInfo): Promise<string | null> {
  const signed = new SignedData({ schema: new ContentInfo({ schema: token as asn1js.Sequence }).content });
  const isValid = await signed.verify({ signer: 0, data: signature.valueBlock.valueHexView.slice().buffer });
  const content = signed.encapContentInfo.eContent;
  return isValid && content ? TSTInfo.fromBER(content.getValue()).genTime.toISOString() : null;
}

function hexBytes(text: string): Uint8Array<ArrayBuffer> | null {
  const [, digits] = /^<([\da-f]*|[\dA-F]*)>$/.exec(text) ?? [];
  if (digits === undefined || digits.length % 2 !== 0) return null;
  const bytes = new Uint8Array(Buffer.from(digits, 'hex'));
  // The rest of the space reserved for the signature is padded with zeros.
  const { offset } = asn1js.fromBER(bytes);
  return offset > 0 && bytes.subarray(offset).every(byte => byte === 0) ? bytes.slice(0, offset) : null;
}
