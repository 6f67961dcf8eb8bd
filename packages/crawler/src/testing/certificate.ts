import tls from 'node:tls';
import { generate } from 'selfsigned';

/**
 * A key and certificate for a host name, trusted by this process from now on when `trusted`. What is trusted is a matter of
 * the process here, because the code under test has no setting for it.
 */
export async function certificateFor(name: string, { trusted }: { trusted: boolean }) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  });
  if (trusted) tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert]);
  return { key, cert };
}
