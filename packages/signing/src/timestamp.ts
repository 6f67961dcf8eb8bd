import * as asn1js from 'asn1js';
import { AlgorithmIdentifier, MessageImprint, SignedData, TimeStampReq, TimeStampResp, TSTInfo } from 'pkijs';

/** Returns a DER-encoded timestamp token (RFC 3161) for the SHA-256 digest. */
export type Timestamper = (digest: Uint8Array) => Promise<Uint8Array>;

/** Error thrown if the timestamp authority can't be reached, rejects the request, or returns an invalid response. */
export class TimestampError extends Error {
  override name = 'TimestampError';
}

/** Request timeout, in milliseconds, and maximum response size, in bytes. */
const TIMEOUT_MS = 15_000;
const MOST_BYTES = 64 * 1024;

const SHA256 = '2.16.840.1.101.3.4.2.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';

/**
 * Returns a function that requests timestamps from a timestamp authority (RFC 3161). The function checks that each
 * token is for the requested digest and contains the request's nonce.
 *
 * @param url an HTTP or HTTPS URL
 * @param send function that sends a request; `fetch` by default
 * @throws TimestampError from the returned function
 * @example await signPdf(pdf, signer, { at, timestamp: timestampAuthority('https://tsa.example/tsr') });
 */
export function timestampAuthority(url: string, send: typeof fetch = fetch): Timestamper {
  async function request(digest: Uint8Array): Promise<Uint8Array> {
    const nonce = crypto.getRandomValues(new Uint8Array(16));
    // Clear the first bit, because the nonce must be positive, and set the next bit, so that the encoded length is
    // constant.
    nonce[0] = (nonce[0]! & 0x7f) | 0x40;
    const query = new TimeStampReq({
      version: 1,
      messageImprint: new MessageImprint({
        hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256, algorithmParams: new asn1js.Null() }),
        hashedMessage: new asn1js.OctetString({ valueHex: digest.slice().buffer }),
      }),
      nonce: new asn1js.Integer({ valueHex: nonce.slice().buffer }),
      certReq: true,
    });
    const response = await send(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/timestamp-query' },
      body: query.toSchema().toBER(),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new TimestampError(`the timestamp authority responded with HTTP ${response.status}`);
    return checkedToken(await limitedBody(response), digest, nonce);
  }
  return digest =>
    request(digest).catch(error => {
      if (error instanceof TimestampError) throw error;
      throw new TimestampError('the timestamp authority can’t be reached, or its response is invalid', {
        cause: error,
      });
    });
}

function checkedToken(body: Uint8Array<ArrayBuffer>, digest: Uint8Array, nonce: Uint8Array): Uint8Array {
  const { status, timeStampToken: token } = TimeStampResp.fromBER(body);
  if (status.status > 1 || token?.contentType !== SIGNED_DATA)
    throw new TimestampError(`the timestamp authority rejected the request with status ${status.status}`);
  const content = new SignedData({ schema: token.content }).encapContentInfo.eContent;
  if (!content) throw new TimestampError('the timestamp has no content');
  const info = TSTInfo.fromBER(content.getValue());
  const isOurs =
    equal(new Uint8Array(info.messageImprint.hashedMessage.valueBlock.valueHexView), digest) &&
    info.nonce !== undefined &&
    equal(info.nonce.valueBlock.valueHexView, nonce);
  if (!isOurs) throw new TimestampError('the timestamp doesn’t match the request');
  return new Uint8Array(token.toSchema().toBER());
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

async function limitedBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(MOST_BYTES);
  let size = 0;
  for await (const chunk of body ?? []) {
    if (size + chunk.length > MOST_BYTES)
      throw new TimestampError('the response from the timestamp authority is too large');
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return bytes.slice(0, size);
}
