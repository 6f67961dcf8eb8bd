import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Password for the test keys. */
export const PASSWORD = 'correct horse Ü';

/** A certificate authority with signing keys and a timestamp authority, created with OpenSSL in a temporary folder. */
export interface TestAuthority {
  readonly folder: string;
  /** Returns a PKCS#12 file with a key of this type. */
  pkcs12(type: KeyType, ...options: string[]): Buffer;
  /** Starts the timestamp authority on a local port and returns its URL. */
  startTimestamps(change?: (response: Buffer) => Buffer): Promise<string>;
  /** Stops the timestamp authority and deletes the folder. */
  stop(): void;
}

/** Private key algorithm: 2,048-bit RSA, or ECDSA on the P-256 or P-384 curve. */
export type KeyType = 'rsa' | 'p256' | 'p384';

const KEYS: Record<KeyType, string[]> = {
  rsa: ['-newkey', 'rsa:2048'],
  p256: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  p384: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
};

/** Creates a certificate authority with OpenSSL 3. */
export function createTestAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-signing-'));
  const servers: ReturnType<typeof createServer>[] = [];
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const extension = (name: string, text: string) => writeFileSync(join(folder, `${name}.ext`), text);
  extension('ca', '[x]\nbasicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\n');
  extension('signer', 'keyUsage=critical,digitalSignature,nonRepudiation\nauthorityKeyIdentifier=keyid\n');
  extension('tsa', 'keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\n');
  writeFileSync(
    join(folder, 'tsa.cnf'),
    `[tsa]\ndefault_tsa=t\n[t]\nserial=${folder}/serial\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\naccuracy=secs:1\ness_cert_id_alg=sha256\n`,
  );
  openssl(
    'req',
    '-x509',
    ...KEYS.p256,
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '30',
    '-subj',
    '/CN=Test CA',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  );
  const issue = (name: string, subject: string, keyType: KeyType, extensions: string) => {
    openssl(
      'req',
      '-new',
      ...KEYS[keyType],
      '-nodes',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      subject,
    );
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '20',
      '-extfile',
      `${extensions}.ext`,
      '-out',
      `${name}.pem`,
    );
  };
  issue('tsa', '/CN=Test TSA', 'rsa', 'tsa');
  const made = new Set<KeyType>();
  return {
    folder,
    pkcs12(type, ...options) {
      if (!made.has(type)) issue(type, `/O=Cascade Imports/CN=Dana Whitfield ${type}`, type, 'signer');
      made.add(type);
      const out = `${type}.p12`;
      openssl(
        'pkcs12',
        '-export',
        '-inkey',
        `${type}.key`,
        '-in',
        `${type}.pem`,
        '-certfile',
        'ca.pem',
        '-passout',
        `pass:${PASSWORD}`,
        '-out',
        out,
        ...options,
      );
      return readFileSync(join(folder, out));
    },
    async startTimestamps(change = response => response) {
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        writeFileSync(join(folder, 'query.tsq'), Buffer.concat(chunks));
        openssl(
          'ts',
          '-reply',
          '-config',
          'tsa.cnf',
          '-queryfile',
          'query.tsq',
          '-inkey',
          'tsa.key',
          '-signer',
          'tsa.pem',
          '-chain',
          'ca.pem',
          '-out',
          'reply.tsr',
        );
        response
          .setHeader('Content-Type', 'application/timestamp-reply')
          .end(change(readFileSync(join(folder, 'reply.tsr'))));
      });
      servers.push(server);
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    },
    stop() {
      for (const server of servers) server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
