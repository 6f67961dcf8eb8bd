import type { CapturedScript } from '@compliance/core/pixel';
import { legacyHookDecode, normalizeEncoding } from '@exodus/bytes/encoding.js';
import { parseTarget } from './address/target.ts';
import type { Capture, Note } from './capture.ts';
import type { Doors } from './connect/doors.ts';
import { isContact } from './contact.ts';
import { readBody } from './http/body.ts';
import { type Answer, discard, follow } from './http/follow.ts';
import { openSession, type Session } from './http/session.ts';
import { decodePage, isHtml, mayBeScript, readKind } from './http/text.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { chooseScripts } from './page/choose-scripts.ts';
import type { listScripts } from './page/list-scripts.ts';
import { beside, type Pool, PoolError } from './pool/index.ts';
import { createRobotsCheck, product } from './robots/robots.ts';
import { type Reason, ScanFailed } from './scan-failed.ts';

/** How to fetch. */
export type FetchOptions = {
  /** Where the owner of a site can complain: an https or mailto URL. It is sent in the user agent. */
  contact: string;
  /** Where hostile input is parsed. */
  pool: Pool;
  /** Also read gtm.js and gtag/js. Off by default: they are large and not the shop's own. */
  googleTags?: boolean;
  limits?: Partial<Limits>;
  /** Stops the capture; its reason is thrown. */
  signal?: AbortSignal;
};

/**
 * Fetches one page and the scripts it names.
 *
 * @throws ScanFailed when there is no page to scan; a script that could not be read is a note
 * @throws PoolError `busy` when the pool has no room
 * @throws TypeError when `contact` is not an https or mailto URL
 */
export type FetchCapture = (url: string, options: FetchOptions) => Promise<Capture>;

const listScriptsModule = beside(new URL('./page/', import.meta.url).href, 'list-scripts');

/** Answers by which sites turn a visitor away: sign-in, forbidden, rate limit, Shopify's 430, legal. */
const turnedAway = new Set([401, 403, 407, 429, 430, 451]);

/**
 * Makes a `fetchCapture` that goes out through the given doors. The package's own `fetchCapture` is this with the public ones.
 *
 * @example const fetchCapture = createCrawler({ ...publicDoors, resolve: createResolver(['9.9.9.9']) })
 */
export function createCrawler(doors: Doors): FetchCapture {
  return async (address, { contact, pool, googleTags = false, limits: changed, signal: stopped }) => {
    const limits = { ...defaultLimits, ...changed };
    const agent = userAgent(contact);
    const url = parseTarget(address);
    const session = openSession(doors, limits, agent, stopped);
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
      await session.gate.agent.destroy();
    }
  };
}

/** Says who asks and where to complain, and claims to be no browser. */
function userAgent(contact: string): string {
  if (!isContact(contact)) throw new TypeError('contact must be an https: or mailto: URL');
  return `${product}/0.1 (storefront tag scan; +${contact})`;
}

type Page = {
  url: URL;
  status: number;
  headers: Record<string, string>;
  html: string;
  encoding: string;
  notes: Note[];
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
  const { bytes, cut } = await readBody(session, answer, session.limits.pageBytes);
  const { text, encoding } = decodePage(bytes, kind.charset);
  if (!isHtml(kind, text)) throw new ScanFailed('not_html', status);
  return { url, status, headers, html: text, encoding, notes: cut ? [{ code: 'page_truncated', reason: cut }] : [] };
}

function refusalOf({ status, headers }: Answer): Reason | null {
  if (turnedAway.has(status) || headers['cf-mitigated'] !== undefined) return 'blocked';
  return status >= 200 && status < 300 ? null : 'http_error';
}

async function choose(page: Page, pool: Pool, options: { googleTags: boolean; most: number }) {
  try {
    const listing = await pool.run<typeof listScripts>(listScriptsModule, 'listScripts', page.html);
    return chooseScripts(listing, page.url, options);
  } catch (error) {
    if (!(error instanceof PoolError && error.blamesInput)) throw error;
    const note: Note = { code: 'scripts_unlisted', reason: 'too_hard_to_parse' };
    return { wanted: [], notes: [note] };
  }
}

async function fetchScript(
  session: Session,
  target: URL,
  page: Page,
  mayVisit: MayVisit,
): Promise<{ script?: CapturedScript; notes: Note[] }> {
  const notRead = (reason: Reason | 'not_script') => ({
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
    const { bytes, cut } = await readBody(session, answer, session.limits.scriptBytes);
    const url = answer.url.href;
    // A script without a charset of its own takes the page's (HTML Standard, "fetch a classic script").
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
