import { isContact } from '@compliance/crawler';
import type { CheckResult, Environment } from './check-result.ts';

/** Time to wait for the egress proxy, in milliseconds. */
const EGRESS_MS = 5_000;

/**
 * Checks the public URL, the number of trusted proxies, the egress proxy, and the contact URL for owners of scanned
 * sites.
 */
export async function checkNetwork(environment: Environment): Promise<CheckResult[]> {
  const { baseUrl, trustedProxies, egress, env, isProduction } = environment;
  return [
    checkBaseUrl(baseUrl, isProduction),
    checkProxies(baseUrl, trustedProxies),
    ...(egress ? [await checkEgress(egress)] : []),
    checkContact(env, isProduction),
  ];
}

function checkBaseUrl(baseUrl: string | undefined, isProduction: boolean): CheckResult {
  const check = 'base URL';
  if (baseUrl?.startsWith('https:')) return { check, status: 'ok', found: `The public URL is ${baseUrl}.` };
  if (!isProduction && !baseUrl)
    return { check, status: 'ok', found: 'COMPLIANCE_BASE_URL is not set, so the service is for local use only.' };
  const found = `${baseUrl ? `${baseUrl} is not an HTTPS URL` : 'COMPLIANCE_BASE_URL is not set'}, but the public URL is printed on certificates, where it can't be changed later.`;
  if (!isProduction) return { check, status: 'ok', found };
  return { check, status: 'fail', found, todo: 'Set COMPLIANCE_BASE_URL to the HTTPS URL that customers use.' };
}

function checkProxies(baseUrl: string | undefined, trustedProxies: number): CheckResult {
  const check = 'proxies';
  const isHttps = baseUrl?.startsWith('https:') ?? false;
  if (trustedProxies > 0) {
    const found = `Trusted reverse proxies: ${trustedProxies}. Rate limits apply to the client IP addresses that the proxies forward.`;
    return { check, status: 'ok', found };
  }
  if (!isHttps) return { check, status: 'ok', found: 'No trusted proxy is configured.' };
  const found = 'No trusted proxy is configured, but the service needs a reverse proxy to terminate TLS.';
  const todo =
    'Set COMPLIANCE_TRUSTED_PROXIES to the number of reverse proxies (1 for Caddy or nginx). Otherwise, all visitors share one rate limit and one sign-in lockout.';
  return { check, status: 'warn', found, todo };
}

async function checkEgress(egress: URL): Promise<CheckResult> {
  const check = 'egress';
  const url = new URL('/healthz', egress);
  const response = await fetch(url, { signal: AbortSignal.timeout(EGRESS_MS) }).catch(() => null);
  const { origin } = egress;
  if (response?.status === 204) {
    const found = `The egress proxy at ${origin} responds. The service connects to scanned sites and webhook receivers through this proxy.`;
    return { check, status: 'ok', found };
  }
  const found = `No egress proxy responds at ${origin}, so the service can't scan sites or deliver webhooks.`;
  const todo = 'Start the egress proxy (compliance egress), or set COMPLIANCE_EGRESS to the URL of a running proxy.';
  return { check, status: 'fail', found, todo };
}

function checkContact({ COMPLIANCE_CONTACT }: NodeJS.ProcessEnv, isProduction: boolean): CheckResult {
  const check = 'contact';
  const todo =
    'Set COMPLIANCE_CONTACT to the HTTPS URL of your contact page, or to mailto: followed by your email address.';
  if (!COMPLIANCE_CONTACT) {
    const found = "COMPLIANCE_CONTACT is not set, so owners of scanned sites can't contact you.";
    return isProduction ? { check, status: 'warn', found, todo } : { check, status: 'ok', found };
  }
  if (isContact(COMPLIANCE_CONTACT))
    return {
      check,
      status: 'ok',
      found: 'The crawler sends COMPLIANCE_CONTACT to scanned sites, so site owners can contact you.',
    };
  return { check, status: 'fail', found: 'COMPLIANCE_CONTACT is not an HTTPS or mailto URL.', todo };
}
