import type { CaptureNote } from '../capture.ts';
import { readResponseBody } from '../http/body.ts';
import { discard, follow } from '../http/follow.ts';
import { refusalOf } from '../http/refusal.ts';
import type { Session } from '../http/session.ts';
import { decodePage, isHtml, readKind } from '../http/text.ts';
import { ScanFailed } from '../scan-failed.ts';

/** A fetched HTML page without its scripts. */
export type FetchedPage = {
  /** URL after redirects. */
  url: URL;
  status: number;
  headers: Record<string, string>;
  html: string;
  encoding: string;
  notes: CaptureNote[];
};

/** Throws an error if a URL must not be requested. */
export type MayVisit = (url: URL) => Promise<void>;

/**
 * Fetches an HTML page.
 *
 * @throws ScanFailed if the URL doesn't return a page that can be scanned
 */
export async function fetchPage(session: Session, target: URL, mayVisit: MayVisit): Promise<FetchedPage> {
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
