import { parseHttpsUrl } from '../address/parse-target.ts';
import { createSsrfGuard } from '../connect/ssrf-guard.ts';
import type { Transport } from '../connect/transport.ts';
import { type CrawlLimits, defaultCrawlLimits } from '../limits.ts';
import { ScanFailed, type ScanFailedReason } from '../scan-failed.ts';

/** A webhook to send. */
export interface Webhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Outcome of sending a webhook: the response status, or the reason that the request failed. */
export type WebhookOutcome =
  | { readonly status: number; readonly retryAfter: string | null }
  | { readonly failure: ScanFailedReason };

/** Sends a webhook to an untrusted URL. Never throws. */
export type SendWebhook = (webhook: Webhook) => Promise<WebhookOutcome>;

/** Maximum time for sending a webhook and reading the response, in milliseconds. */
const TOTAL_MS = 15_000;

/** Maximum number of response body bytes to read. The content is discarded. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Creates a webhook sender with the same SSRF hardening as the crawler: the hostname is resolved once, every address
 * must be public, and the connection goes to one of these addresses. Redirects aren't followed, and the total time and
 * the response size are limited.
 *
 * @example const outcome = await createWebhookSender(publicTransport)({ url, headers, body });
 */
export function createWebhookSender(transport: Transport, changed: Partial<CrawlLimits> = {}): SendWebhook {
  const limits: CrawlLimits = { ...defaultCrawlLimits, totalMs: TOTAL_MS, connections: 1, ...changed };
  return async ({ url: text, headers, body }) => {
    const signal = AbortSignal.timeout(limits.totalMs);
    const guard = createSsrfGuard(transport, limits, signal);
    try {
      const url = parseHttpsUrl(text);
      await guard.admit(url);
      const response = await guard.agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers,
        body,
        signal,
      });
      let size = 0;
      for await (const chunk of response.body) {
        size += (chunk as Uint8Array).length;
        if (size > MAX_RESPONSE_BYTES) break;
      }
      const retryAfter = response.headers['retry-after'];
      return { status: response.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
    } catch (error) {
      if (error instanceof ScanFailed) return { failure: error.reason };
      return { failure: signal.aborted ? 'timed_out' : 'broken_response' };
    } finally {
      await guard.agent.destroy();
    }
  };
}
