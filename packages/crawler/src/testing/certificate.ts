import { randomUUID } from 'node:crypto';
import tls from 'node:tls';
import { generate } from 'selfsigned';

/** Certificates that this process trusts. */
const trustedCertificates: string[] = [];

/**
 * Generates a key and certificate for a hostname. If `trusted` is true, the entire process trusts the certificate,
 * because the code under test has no setting for trusted certificates. From then on, the process doesn't trust any
 * public certificate authority, because parsing all of their certificates for each new certificate is slow.
 */
export async function certificateFor(name: string, { trusted }: { trusted: boolean }) {
  // OpenSSL finds a trusted certificate by its subject, so certificates for the same hostname need different subjects.
  const { private: key, cert } = await generate([{ name: 'commonName', value: randomUUID() }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  });
  if (trusted) {
    trustedCertificates.push(cert);
    tls.setDefaultCACertificates(trustedCertificates);
  }
  return { key, cert };
}
