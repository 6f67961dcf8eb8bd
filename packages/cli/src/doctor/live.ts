import { createHash } from 'node:crypto';
import { ageText } from '../output/print.ts';
import type { CheckResult } from './check-result.ts';
import { checkTls } from './tls.ts';

const TIMEOUT_MS = 15_000;

/** Clock difference, in milliseconds, above which signed links and rate limits become unreliable. */
const MAX_SKEW_MS = 60_000;

/** Request for the test certificate, which is a draft. The product name explains the certificate's purpose. */
const TEST_CERTIFICATE = {
  product_info: {
    name: 'Compliance doctor test certificate',
    date_of_manufacture: '2026-01-02',
    place_of_manufacture: 'Test',
  },
  manufacturer: { name: 'Test', address: 'Test', contact_email: 'test@compliance.invalid' },
  testing_lab: { name: 'Test', test_date: '2026-01-02' },
  cpsc_rules_cited: ['16 CFR 1203'],
};

/** Running service to check through its public URL. */
export interface LiveService {
  url: URL;
  /** Public URL from the settings, if set. */
  baseUrl: string | undefined;
  /** Test API key, if available. */
  key: string | undefined;
  now: () => number;
}

/**
 * Checks a running service as its customers see it: TLS, the redirect from HTTP, readiness, and, with a test key, a
 * lookup, a certificate, and its PDF.
 */
export async function checkLive(service: LiveService): Promise<CheckResult[]> {
  const { url, now } = service;
  const isHttps = url.protocol === 'https:';
  const results = isHttps ? [await checkTls(url, now())] : [plainHttp(url)];
  if (results[0]!.status === 'fail') return [...results, ...checkUrl(service)];
  if (isHttps && url.port === '') results.push(await checkRedirect(new URL(`http://${url.hostname}/`), url));
  results.push(...checkUrl(service));
  const ready = await checkReady(service);
  results.push(...ready);
  if (ready.some(({ status }) => status === 'fail')) return results;
  return [...results, ...(await checkApi(service))];
}

function plainHttp({ hostname, origin }: URL): CheckResult {
  const check = 'TLS';
  if (/^(localhost|127\.|\[::1\])/.test(hostname)) {
    return { check, status: 'ok', found: `${origin} is on this machine, so it doesn't need TLS.` };
  }
  const todo = 'Put an HTTPS reverse proxy in front of the service, and specify the proxy’s public URL.';
  return {
    check,
    status: 'fail',
    found: `Connections to ${origin} aren't encrypted, so others can read API keys in transit.`,
    todo,
  };
}

function checkUrl({ url, baseUrl }: LiveService): CheckResult[] {
  const check = 'live URL';
  if (!baseUrl || baseUrl === url.origin) return [];
  const found = `The service is at ${url.origin}, but COMPLIANCE_BASE_URL, which is printed on certificates, is ${baseUrl}.`;
  if (/^(localhost|127\.|\[::1\])/.test(url.hostname)) return [{ check, status: 'ok', found }];
  return [
    { check, status: 'fail', found, todo: 'Correct COMPLIANCE_BASE_URL and restart the service, or correct --live.' },
  ];
}

/** Checks that an HTTP request is redirected to HTTPS on the same host. */
export async function checkRedirect(from: URL, to: URL): Promise<CheckResult> {
  const check = 'HTTP redirect';
  const todo = 'Configure the reverse proxy to redirect port 80 to HTTPS. Caddy does so by default.';
  const response = await request(from, { redirect: 'manual' });
  if (typeof response === 'string') {
    const found = `${from.origin} doesn't respond (${response}), so http:// links to it fail.`;
    return { check, status: 'warn', found, todo };
  }
  const target = response.headers.get('Location') ?? '';
  const isRedirect = response.status >= 300 && response.status < 400;
  if (isRedirect && URL.canParse(target, from.href) && new URL(target, from).origin === to.origin) {
    return { check, status: 'ok', found: `${from.origin} redirects to ${to.origin}.` };
  }
  const found = `${from.origin} responds with ${response.status}${target ? ` and redirects to ${target}` : ''} instead of redirecting to ${to.origin}.`;
  return { check, status: 'fail', found, todo };
}

async function checkReady({ url, now }: LiveService): Promise<CheckResult[]> {
  const check = 'service';
  const before = now();
  const response = await request(new URL('/readyz', url));
  const fail = (found: string, todo: string): CheckResult[] => [{ check, status: 'fail', found, todo }];
  if (typeof response === 'string') {
    return fail(
      `${url.origin} doesn't respond (${response}).`,
      'Start the service and its reverse proxy, and check their logs.',
    );
  }
  const body = await response.text();
  const isOurs = response.headers.has('X-Request-Id') && /"(status|error)":/.test(body);
  if (!isOurs) {
    return fail(
      `${url.origin} responds with ${response.status}, but isn't this service.`,
      'Another program uses this port or hostname. Stop that program, or correct the URL, the port, or the reverse proxy configuration.',
    );
  }
  if (response.status !== 200) {
    return fail(`${url.origin} isn't ready (${response.status}).`, "Check the database and the service's log.");
  }
  const skew = Date.parse(response.headers.get('Date') ?? '') - (before + now()) / 2;
  const results: CheckResult[] = [{ check, status: 'ok', found: `${url.origin} is ready.` }];
  if (Math.abs(skew) > MAX_SKEW_MS) {
    const found = `The clock on ${url.host} is ${ageText(Math.abs(skew))} ${skew < 0 ? 'behind' : 'ahead of'} this machine's clock.`;
    results.push({ check: 'clock', status: 'fail', found, todo: 'Synchronize the clocks of both machines with NTP.' });
  }
  return results;
}

async function checkApi({ url, key, now }: LiveService): Promise<CheckResult[]> {
  const check = 'API';
  if (!key) {
    const todo =
      "Issue a test key with `compliance keys issue --scope all --note 'doctor; delegate:on'`, and set COMPLIANCE_DOCTOR_KEY to the key.";
    const found = "Without a test key, doctor can't check lookups, certificates, or PDFs.";
    return [{ check, status: 'warn', found, todo }];
  }
  const fail = (found: string, todo: string): CheckResult[] => [{ check, status: 'fail', found, todo }];
  const post = (path: string, body: object) =>
    request(new URL(path, url), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        // Issue at most one test certificate per day, no matter how often doctor runs.
        'Idempotency-Key': `compliance-doctor-${new Date(now()).toISOString().slice(0, 10)}`,
      },
      body: JSON.stringify(body),
    });
  const found = await post('/api/v1/tariff/hts/lookup', { codes: ['7318.15.2061'], as_of: '2026-10-01' });
  const failedLookup = await explain('lookup', found);
  if (failedLookup) return fail(...failedLookup);
  const issued = await post('/api/v1/entry/gcc/generate', TEST_CERTIFICATE);
  const failedCertificate = await explain('certificate', issued);
  if (failedCertificate) return fail(...failedCertificate);
  const { gcc_pdf_url, sha256 } = (await (issued as Response).json()) as { gcc_pdf_url: string; sha256: string };
  const link = new URL(gcc_pdf_url, url);
  // If the service is checked through a local port, use the same port for the link.
  const pdf = await request(new URL(link.pathname + link.search, url));
  if (typeof pdf === 'string' || pdf.status !== 200) {
    const reason = typeof pdf === 'string' ? pdf : pdf.status;
    return fail(
      `The link to the test certificate's PDF doesn't work (${reason}).`,
      "Check LINK_KEYS, PDF storage, and the service's log.",
    );
  }
  if (
    createHash('sha256')
      .update(new Uint8Array(await pdf.arrayBuffer()))
      .digest('hex') !== sha256
  ) {
    return fail(
      "The test certificate's PDF was altered in transit.",
      'Check whether a reverse proxy or CDN modifies responses.',
    );
  }
  return [{ check, status: 'ok', found: 'Lookups, certificates, and PDFs work with the test key.' }];
}

async function explain(what: string, response: Response | string): Promise<[found: string, todo: string] | null> {
  if (typeof response === 'string') return [`The test ${what} fails (${response}).`, "Check the service's log."];
  if (response.status === 200) return null;
  const { error = `HTTP ${response.status}` } = (await response.json().catch(() => ({}))) as { error?: string };
  if (error === 'unauthorized') {
    return [
      "The service doesn't recognize the test key. Either the service uses a different store, or the key was revoked or has expired.",
      'Correct the URL in --live, or set COMPLIANCE_DOCTOR_KEY to an active key that this service issued.',
    ];
  }
  if (error === 'beta' || error === 'scope') {
    const todo = 'Use a key with the scope “all” and “delegate:on” in its note.';
    return [`The test key isn't allowed to request a ${what} (${error}).`, todo];
  }
  return [`The test ${what} fails (${error}).`, "Check the service's log."];
}

/** Sends a request and returns the response, or the error code if there is no response. */
async function request(url: URL, init: RequestInit = {}): Promise<Response | string> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return name === 'TimeoutError' ? 'ETIMEDOUT' : (cause?.code ?? 'no code');
  }
}
