// Signs certificates with an RSA key in a hardware security module (HSM), through the HSM's PKCS#11 library and
// OpenSC's pkcs11-tool.
//
// PKCS11_MODULE is the library's path. PKCS11_TOKEN is the token's label. PKCS11_KEY is the label of the key and
// its certificate. pkcs11-tool reads PKCS11_PIN from the environment, so the PIN doesn't appear in process lists.

import { execFile } from 'node:child_process';

const { PKCS11_MODULE, PKCS11_TOKEN, PKCS11_KEY } = process.env;
const TOKEN = ['--module', PKCS11_MODULE, '--token-label', PKCS11_TOKEN, '--label', PKCS11_KEY];

/** `DigestInfo` prefix for RSA with SHA-256: the digest's algorithm and length, in DER (RFC 8017, section 9.2). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

export default async function openSigner() {
  return {
    certificates: [await pkcs11(['--read-object', '--type', 'cert'])],
    algorithm: 'rsa-sha256',
    sign: digest =>
      pkcs11(
        ['--login', '--pin', 'env:PKCS11_PIN', '--sign', '--mechanism', 'RSA-PKCS'],
        Buffer.concat([DIGEST_INFO, digest]),
      ),
  };
}

/** Runs pkcs11-tool and returns its output as bytes. */
function pkcs11(args, input = '') {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'buffer', timeout: 30_000 };
    const child = execFile('pkcs11-tool', [...TOKEN, ...args], options, (error, stdout) =>
      error ? reject(new Error(`pkcs11-tool failed with exit code ${error.code}`)) : resolve(new Uint8Array(stdout)),
    );
    child.stdin.on('error', reject).end(input);
  });
}
