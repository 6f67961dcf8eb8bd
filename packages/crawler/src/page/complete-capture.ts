import type { CapturedScript } from '@compliance/core/pixel';
import { legacyHookDecode, normalizeEncoding } from '@exodus/bytes/encoding.js';
import type { CaptureNote, StorefrontCapture } from '../capture.ts';
import { type Body, readResponseBody } from '../http/body.ts';
import { discard, follow } from '../http/follow.ts';
import { refusalOf } from '../http/refusal.ts';
import type { Session } from '../http/session.ts';
import { mayBeScript, readKind } from '../http/text.ts';
import { type JobRunner, PoolError, siblingModule } from '../pool/index.ts';
import { ScanFailed, type ScanFailedReason } from '../scan-failed.ts';
import { chooseScripts } from './choose-scripts.ts';
import type { FetchedPage, MayVisit } from './fetch-page.ts';
import type { listScripts } from './list-scripts.ts';

/** A fetched script, or the reason that it couldn't be fetched. */
type FetchedScript =
  | (Body & { url: string; status: number; charset: string | undefined })
  | ScanFailedReason
  | 'not_script';

/** Options for fetching the scripts of a session's pages. */
type ScriptOptions = { pool: JobRunner; googleTags: boolean; mayVisit: MayVisit };

const listScriptsModule = siblingModule(import.meta.url, 'list-scripts');

/**
 * Creates a function that fetches a page's scripts and returns the page's capture. If several pages in the session load
 * the same script, the function fetches the script only once.
 *
 * @returns a function that takes the requested URL and the page; if a script can't be fetched, the function adds a note
 * to the capture
 */
export function createCaptureCompleter(
  session: Session,
  { pool, googleTags, mayVisit }: ScriptOptions,
): (requested: URL, page: FetchedPage) => Promise<StorefrontCapture> {
  const fetched = new Map<string, Promise<FetchedScript>>();
  const fetchOnce = (target: URL): Promise<FetchedScript> => {
    const script = fetched.get(target.href) ?? fetchScript(session, target, mayVisit);
    fetched.set(target.href, script);
    return script;
  };
  return async (requested, page) => {
    const chosen = await choose(page, pool, { googleTags, most: session.limits.scripts });
    // Fetch the scripts in order, so that the first ones get the remaining requests. A request must not wait for a
    // connection after it's counted, because the rate limits assume that the request arrives within a few seconds.
    const scripts: ReturnType<typeof captured>[] = [];
    const waiting = chosen.wanted.entries();
    const fetchNext = async () => {
      for (const [index, target] of waiting) scripts[index] = captured(target, await fetchOnce(target), page.encoding);
    };
    await Promise.all(Array.from({ length: session.limits.connections }, fetchNext));
    const notes = [...page.notes, ...chosen.notes, ...scripts.flatMap(script => script.notes)];
    return {
      url: requested.href,
      finalUrl: page.url.href,
      status: page.status,
      headers: page.headers,
      html: page.html,
      scripts: scripts.flatMap(({ script }) => script ?? []),
      truncated: notes.some(({ code }) => code === 'page_truncated' || code === 'script_truncated'),
      notes,
    };
  };
}

async function choose(page: FetchedPage, pool: JobRunner, options: { googleTags: boolean; most: number }) {
  try {
    const listing = await pool.run<typeof listScripts>(listScriptsModule, 'listScripts', page.html);
    return chooseScripts(listing, page.url, options);
  } catch (error) {
    if (!(error instanceof PoolError && error.blamesInput)) throw error;
    const note: CaptureNote = { code: 'scripts_unlisted', reason: 'too_hard_to_parse' };
    return { wanted: [], notes: [note] };
  }
}

async function fetchScript(session: Session, target: URL, mayVisit: MayVisit): Promise<FetchedScript> {
  try {
    const answer = await follow(session, target, mayVisit);
    const kind = readKind(answer.headers['content-type']);
    const refusal = refusalOf(answer) ?? (mayBeScript(kind) ? null : 'not_script');
    if (refusal) {
      discard(answer);
      return refusal;
    }
    const body = await readResponseBody(session, answer, session.limits.scriptBytes);
    return { ...body, url: answer.url.href, status: answer.status, charset: kind.charset };
  } catch (error) {
    if (error instanceof ScanFailed) return error.reason;
    throw error;
  }
}

function captured(
  target: URL,
  script: FetchedScript,
  pageEncoding: string,
): { script?: CapturedScript; notes: CaptureNote[] } {
  if (typeof script === 'string') return { notes: [{ code: 'script_not_read', reason: script, url: target.href }] };
  const { url, status, charset, bytes, cut } = script;
  // A script that doesn't declare a charset uses the page's charset (HTML Standard, "fetch a classic script").
  const body = legacyHookDecode(bytes, normalizeEncoding(charset ?? '') ?? pageEncoding.toLowerCase());
  return { script: { url, status, body }, notes: cut ? [{ code: 'script_truncated', reason: cut, url }] : [] };
}
