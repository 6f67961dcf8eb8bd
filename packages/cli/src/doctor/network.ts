import { isContact } from '@compliance/crawler';
import type { Finding, Patient } from './finding.ts';

/** Whether the service knows where it stands: its address, the proxies before it, whom to write to. */
export function networkFindings({ baseUrl, trustedProxies, env, isProduction }: Patient): Finding[] {
  return [address(baseUrl, isProduction), proxies(baseUrl, trustedProxies), contact(env, isProduction)];
}

function address(baseUrl: string | undefined, isProduction: boolean): Finding {
  const check = 'address';
  if (baseUrl?.startsWith('https:')) return { check, status: 'ok', found: `The service is ${baseUrl} to the outside.` };
  const found = `${baseUrl ? `${baseUrl} is not https` : 'COMPLIANCE_BASE_URL is not set'}, and certificates print the address for good.`;
  if (!isProduction)
    return { check, status: 'ok', found: baseUrl ? found : 'COMPLIANCE_BASE_URL is not set: this machine alone.' };
  return { check, status: 'fail', found, todo: 'Set it to the https address that customers use.' };
}

function proxies(baseUrl: string | undefined, trustedProxies: number): Finding {
  const check = 'proxies';
  const isHttps = baseUrl?.startsWith('https:') ?? false;
  if (trustedProxies > 0) {
    return {
      check,
      status: 'ok',
      found: `${trustedProxies} before the service; limits by address count who stands before them.`,
    };
  }
  if (!isHttps) return { check, status: 'ok', found: 'None before the service.' };
  const found = 'None is counted, but the service itself speaks no https, so one must stand before it.';
  const todo =
    'Set COMPLIANCE_TRUSTED_PROXIES to how many do (1 for Caddy or nginx): else all visitors share one limit and one lock-out.';
  return { check, status: 'warn', found, todo };
}

function contact({ COMPLIANCE_CONTACT }: NodeJS.ProcessEnv, isProduction: boolean): Finding {
  const check = 'contact';
  const todo = 'Set it to a page or a mail address of yours.';
  if (!COMPLIANCE_CONTACT) {
    const found = 'COMPLIANCE_CONTACT is not set: owners of scanned sites cannot reach you.';
    return isProduction ? { check, status: 'warn', found, todo } : { check, status: 'ok', found };
  }
  if (isContact(COMPLIANCE_CONTACT))
    return { check, status: 'ok', found: 'Owners of scanned sites are told where to complain.' };
  return { check, status: 'fail', found: 'COMPLIANCE_CONTACT is neither an https nor a mailto address.', todo };
}
