import type { CapturedScript } from '@compliance/core/pixel';
import { legacyHookDecode, normalizeEncoding } from '@exodus/bytes/encoding.js';
import { parseTarget } from './address/parse-target.ts';
import type { CaptureNote, StorefrontCapture } from './capture.ts';
import type { Transport } from './connect/transport.ts';
import { isContact } from './contact.ts';
import { readResponseBody } from './http/body.ts';
import { type Answer, discard, follow } from './http/follow.ts';
import { openCrawlSession, type Session } from './http/session.ts';
import { decodePage, isHtml, mayBeScript, readKind } from './http/text.ts';
import { type CrawlLimits, defaultCrawlLimits } from './limits.ts';
import { chooseScripts } from './page/choose-scripts.ts';
import type { listScripts } from './page/list-scripts.ts';
import { type Pool, PoolError, siblingModule } from './pool/index.ts';
import { createRobotsCheck, product } from './robots/robots.ts';
import { ScanFailed, type ScanFailedReason } from './scan-failed.ts';

/** Options for {@link FetchCapture}. */
export type FetchOptions = {
  /** Contact for site owners: an HTTPS or mailto URL, which the crawler sends in the user agent. */
  contact: string;
  /** Pool that parses untrusted input. */
  pool: Pool;
  /**
   * Whether to fetch Tag Manager containers (`gtm.js`) and Google tags (`gtag/js`), so that the scan can read the tags in
   * them. Defaults to true.
   */
  googleTags?: boolean;
  limits?: Partial<CrawlLimits>;
  /** Signal that aborts the capture. An aborted capture throws the signal's reason. */
  signal?: AbortSignal;
};

/**
 * Fetches one page and its scripts.
 *
 * @throws ScanFailed if the URL doesn't return a page that can be scanned; a script that can't be fetched only results
 * in a note
 * @throws PoolError with `busy` if the pool's queue is full
 * @throws TypeError if `contact` isn't an HTTPS or mailto URL
 */
export type FetchCapture = (url: string, options: FetchOptions) => Promise<StorefrontCapture>;

const listScriptsModule = siblingModule(new URL('./page/', import.meta.url).href, 'list-scripts');

/**
 * HTTP statuses that sites use to reject visitors: sign-in required, forbidden, too many requests, Shopify's 430, and
 * unavailable for legal reasons.
 */
const blockedStatuses = new Set([401, 403, 407, 429, 430, 451]);

/**
 * Creates a `fetchCapture` function that uses the given network access. The package's own `fetchCapture` uses
 * `publicTransport`.
 *
 * @example const fetchCapture = createCrawler({ ...publicTransport, resolve: createResolver(['9.9.9.9']) })
 */
export function createCrawler(transport: Transport): FetchCapture {
  return async (address, { contact, pool, googleTags = true, limits: changed, signal: stopped }) => {
    const limits = { ...defaultCrawlLimits, ...changed };
    const agent = userAgent(contact);
    const url = parseTarget(address);
    const session = openCrawlSession(transport, limits, agent, stopped);
    try {
      const mayVisit = createRobotsCheck(session, pool);
      const page = await fetchPage(session, url, mayVisit);
      const chosen = await choose(page, pool, { googleTags, most: limits.scripts });
      const scripts = await Promise.all(chosen.wanted.map(script => fetchScript(session, script, page, mayVisit)));
      const notes = [...page.notes, ...chosen.notes, ...scripts.flatMap(script => script.notes)];
      return {
        url: url.href,
        finalUrl: page.url.href,
        status: page.status,
        headers: page.headers,
        html: page.html,
        scripts: scripts.flatMap(({ script }) => script ?? []),
        truncated: notes.some(({ code }) => code === 'page_truncated' || code === 'script_truncated'),
        notes,
      };
    } catch (error) {
      if (stopped?.aborted) throw stopped.reason;
      throw error;
    } finally {
      await session.guard.agent.destroy();
    }
  };
}

/** Returns a user agent that identifies the scanner, includes the contact, and doesn't imitate a browser. */
function userAgent(contact: string): string {
  if (!isContact(contact)) throw new TypeError('contact must be an HTTPS or mailto URL');
  return `${product}/0.1 (storefront tag scan; +${contact})`;
}

type Page = {
  url: URL;
  status: number;
  headers: Record<string, string>;
  html: string;
  encoding: string;
  notes: CaptureNote[];
};
type MayVisit = (url: URL) => Promise<void>;

async function fetchPage(session: Session, target: URL, mayVisit: MayVisit): Promise<Page> {
  const answer = await follow(session, target, mayVisit);
  const { url, status, headers } = answer;
  const kind = readKind(headers['content-type']);
  const refusal = refusalOf(answer) ?? (kind.type === '' || isHtml(kind, '') ? null : 'not_html');
  if (refusal) {
    discard(answer);
    throw new ScanFailed(refusal, status);
  }
  const { bytes, cut } = await readResponseBody(session, answer, session.limits.pageBytes);
  const { text, encoding } = decodePage(bytes, kind.charset);
  if (!isHtml(kind, text)) throw new ScanFailed('not_html', status);
  return { url, status, headers, html: text, encoding, notes: cut ? [{ code: 'page_truncated', reason: cut }] : [] };
}

function refusalOf({ status, headers }: Answer): ScanFailedReason | null {
  if (blockedStatuses.has(status) || headers['cf-mitigated'] !== undefined) return 'blocked';
  return status >= 200 && status < 300 ? null : 'http_error';
}

async function choose(page: Page, pool: Pool, options: { googleTags: boolean; most: number }) {
  try {
    const listing = await pool.run<typeof listScripts>(listScriptsModule, 'listScripts', page.html);
    return chooseScripts(listing, page.url, options);
  } catch (error) {
    if (!(error instanceof PoolError && error.blamesInput)) throw error;
    const note: CaptureNote = { code: 'scripts_unlisted', reason: 'too_hard_to_parse' };
    return { wanted: [], notes: [note] };
  }
}

async function fetchScript(
  session: Session,
  target: URL,
  page: Page,
  mayVisit: MayVisit,
): Promise<{ script?: CapturedScript; notes: CaptureNote[] }> {
  const notRead = (reason: ScanFailedReason | 'not_script') => ({
    notes: [{ code: 'script_not_read' as const, reason, url: target.href }],
  });
  try {
    const answer = await follow(session, target, mayVisit);
    const kind = readKind(answer.headers['content-type']);
    const refusal = refusalOf(answer) ?? (mayBeScript(kind) ? null : 'not_script');
    if (refusal) {
      discard(answer);
      return notRead(refusal);
    }
    const { bytes, cut } = await readResponseBody(session, answer, session.limits.scriptBytes);
    const url = answer.url.href;
    // A script that doesn't declare a charset uses the page's charset (HTML Standard, "fetch a classic script").
    const body = legacyHookDecode(bytes, normalizeEncoding(kind.charset ?? '') ?? page.encoding.toLowerCase());
    return {
      script: { url, status: answer.status, body },
      notes: cut ? [{ code: 'script_truncated', reason: cut, url }] : [],
    };
  } catch (error) {
    if (error instanceof ScanFailed) return notRead(error.reason);
    throw error;
  }
}
