import * as asn1js from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import { sha256 } from './sha256.ts';
import type { SignatureAlgorithm, Signer } from './signer.ts';
import type { Timestamper } from './timestamp.ts';

/** Object identifiers from RFC 5652, RFC 5035, RFC 3161, RFC 8017, and RFC 5758. */
const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timestampToken: '1.2.840.113549.1.9.16.2.14',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const;

const ALGORITHMS: Readonly<Record<SignatureAlgorithm, () => AlgorithmIdentifier>> = {
  'rsa-sha256': () =>
    new AlgorithmIdentifier({ algorithmId: '1.2.840.113549.1.1.11', algorithmParams: new asn1js.Null() }),
  'ecdsa-sha256': () => new AlgorithmIdentifier({ algorithmId: '1.2.840.10045.4.3.2' }),
};

/**
 * Creates a detached CMS signature for PAdES at level B-B, or at level B-T if it includes a timestamp.
 *
 * Source: ETSI EN 319 142-1, clauses 5.3 and 6.3, and ETSI EN 319 122-1. The signing time is in the PDF, not
 * in the signed attributes.
 *
 * @returns the DER-encoded signature
 */
export async function createCms(message: Uint8Array, signer: Signer, timestamp?: Timestamper): Promise<Uint8Array> {
  const certificates = signer.certificates.map(der => Certificate.fromBER(der.slice()));
  const attributes = sorted([
    new Attribute({ type: OID.contentType, values: [new asn1js.ObjectIdentifier({ value: OID.data })] }),
    new Attribute({ type: OID.messageDigest, values: [octets(await sha256(message))] }),
    new Attribute({ type: OID.signingCertificateV2, values: [await signingCertificate(signer.certificates[0])] }),
  ]);
  const toSign = bytesOf(new asn1js.Set({ value: attributes.map(each => each.toSchema()) }));
  const signature = await signer.sign(await sha256(toSign), toSign);
  const token = timestamp && (await timestamp(await sha256(signature)));
  const signed = new SignedData({
    version: 1,
    digestAlgorithms: [digestAlgorithm()],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: OID.data }),
    certificates,
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({
          issuer: certificates[0]!.issuer,
          serialNumber: certificates[0]!.serialNumber,
        }),
        digestAlgorithm: digestAlgorithm(),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
        signatureAlgorithm: ALGORITHMS[signer.algorithm](),
        signature: octets(signature),
        ...(token && {
          unsignedAttrs: new SignedAndUnsignedAttributes({
            type: 1,
            attributes: [new Attribute({ type: OID.timestampToken, values: [asn1js.fromBER(token).result] })],
          }),
        }),
      }),
    ],
  });
  return bytesOf(new ContentInfo({ contentType: OID.signedData, content: signed.toSchema(true) }).toSchema());
}

function digestAlgorithm(): AlgorithmIdentifier {
  return new AlgorithmIdentifier({ algorithmId: OID.sha256 });
}

/**
 * Identifies the signer's certificate with an ESSCertIDv2 (RFC 5035). Omits the hash algorithm, because SHA-256 is the
 * default.
 */
async function signingCertificate(der: Uint8Array): Promise<asn1js.Sequence> {
  const id = new asn1js.Sequence({ value: [octets(await sha256(der))] });
  return new asn1js.Sequence({ value: [new asn1js.Sequence({ value: [id] })] });
}

function octets(bytes: Uint8Array): asn1js.OctetString {
  return new asn1js.OctetString({ valueHex: bytes.slice().buffer });
}

function bytesOf(block: { toBER(): ArrayBuffer }): Uint8Array {
  return new Uint8Array(block.toBER());
}

/** Sorts attributes by their DER encoding, as DER requires for a set. */
function sorted(attributes: readonly Attribute[]): Attribute[] {
  return attributes
    .map(attribute => ({ attribute, encoding: Buffer.from(attribute.toSchema().toBER()) }))
    .sort((a, b) => Buffer.compare(a.encoding, b.encoding))
    .map(({ attribute }) => attribute);
}
