import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { quantity } from '../output/scan-report.ts';
import type { CheckResult } from './check-result.ts';

const CHECK = 'TLS';
const DAY_MS = 86_400_000;

/** Number of days before expiration at which doctor starts to warn. Automatic renewal usually happens earlier. */
const RENEWAL_DAYS = 14;

const TIMEOUT_MS = 10_000;

/** Explanations of Node.js certificate errors. */
const ERRORS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: "isn't valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed, so clients reject it',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an untrusted certificate authority, so clients reject it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is sent without its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an untrusted certificate authority, so clients reject it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for a different hostname',
};

/** Checks a server's TLS certificate: issuer, hostname, and expiration. */
export async function checkTls({ hostname, port }: URL, now: number): Promise<CheckResult> {
  const todo =
    "Check the reverse proxy's log and its certificate. Caddy renews certificates automatically if ports 80 and 443 are reachable.";
  const fail = (found: string): CheckResult => ({ check: CHECK, status: 'fail', found, todo });
  const handshake = await shakeHands(hostname.replace(/^\[|\]$/g, ''), Number(port || 443));
  if ('code' in handshake) return fail(`${hostname} doesn't accept a TLS connection (${handshake.code}).`);
  const { certificate, problem } = handshake;
  const days = Math.floor((Date.parse(certificate.valid_to) - now) / DAY_MS);
  const until = new Date(certificate.valid_to).toISOString().slice(0, 10);
  if (days < 0) return fail(`The certificate for ${hostname} expired on ${until}.`);
  if (problem) return fail(`The certificate for ${hostname} ${ERRORS[problem] ?? `is rejected (${problem})`}.`);
  const found = `The certificate for ${hostname} is valid until ${until} (${quantity(days, 'day')}).`;
  if (days >= RENEWAL_DAYS) return { check: CHECK, status: 'ok', found };
  return { check: CHECK, status: 'warn', found: `${found} It should have been renewed by now.`, todo };
}

type Handshake = { certificate: PeerCertificate; problem: string | null } | { code: string };

async function shakeHands(host: string, port: number): Promise<Handshake> {
  // Accept any certificate, because this function reports the certificate's problems. No data is sent.
  const name = isIP(host) ? {} : { servername: host };
  const socket = connect({ host, port, ...name, rejectUnauthorized: false, timeout: TIMEOUT_MS });
  try {
    return await new Promise<Handshake>(resolve => {
      socket.on('error', (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? 'no code' }));
      socket.on('timeout', () => resolve({ code: 'ETIMEDOUT' }));
      socket.on('secureConnect', () => {
        const problem = socket.authorized ? null : String(codeOf(socket.authorizationError));
        resolve({ certificate: socket.getPeerCertificate(), problem });
      });
    });
  } finally {
    socket.destroy();
  }
}

/**
 * Returns the code of a TLS authorization error. Depending on the cause, Node.js sets `authorizationError` to a code or
 * to an error with a code.
 */
function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code ?? error;
}
