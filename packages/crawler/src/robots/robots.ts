import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import { readResponseBody } from '../http/body.ts';
import { discard, follow } from '../http/follow.ts';
import type { Session } from '../http/session.ts';
import { type JobRunner, PoolError, siblingModule } from '../pool/index.ts';
import { ScanFailed } from '../scan-failed.ts';
import type { allows } from './allows.ts';

/** Product token that identifies the crawler in robots.txt files. */
export const product = 'PortfolioCompliance';

const allowsModule = siblingModule(import.meta.url, 'allows');

/**
 * Creates the robots.txt check for all page and script requests in a capture. The check fetches each origin's
 * robots.txt file once, with the same SSRF guard and limits as all other requests. If a robots.txt file redirects to
 * another origin's robots.txt file, the response is reused for that origin.
 *
 * As RFC 9309 §2.3.1 specifies, everything is allowed if the file is missing (4xx) or redirects too many times, and
 * nothing is allowed after a server error. If the file can't be parsed within the pool's limits, nothing is allowed.
 *
 * @returns a function that throws ScanFailed with `robots`, or with the reason that the file couldn't be fetched
 */
export function createRobotsCheck(session: Session, pool: JobRunner): (url: URL) => Promise<void> {
  const files = new Map<string, Promise<RobotsFile>>();
  return async url => {
    let file = files.get(url.origin);
    if (!file) {
      file = fetchRobots(session, url.origin);
      files.set(url.origin, file);
    }
    const { text, origins } = await file;
    for (const origin of origins) if (!files.has(origin)) files.set(origin, file);
    if (text === '') return;
    const question = { robotsUrl: `${url.origin}/robots.txt`, text, url: url.href, product };
    const allowed = await pool.run<typeof allows>(allowsModule, 'allows', question).catch(error => {
      if (error instanceof PoolError && error.blamesInput) return false;
      throw error;
    });
    if (!allowed) throw new ScanFailed('robots');
  };
}

/** A robots.txt file, and the origins whose `/robots.txt` URL returns or redirects to this file. */
type RobotsFile = { text: string; origins: string[] };

async function fetchRobots(session: Session, start: string): Promise<RobotsFile> {
  const origins: string[] = [];
  const visit = async (url: URL) => {
    if (url.pathname + url.search === '/robots.txt') origins.push(url.origin);
  };
  try {
    const answer = await follow(session, new URL('/robots.txt', start), visit);
    if (answer.status >= 200 && answer.status < 300) {
      const { bytes } = await readResponseBody(session, answer, session.limits.robotsBytes);
      return { text: legacyHookDecode(bytes), origins };
    }
    discard(answer);
    if (answer.status >= 500) throw new ScanFailed('robots', answer.status);
    return { text: '', origins };
  } catch (error) {
    // Don't reuse this result for the origins later in the redirect chain. Their own robots.txt files might need fewer
    // redirects, so those files have to be fetched.
    if (error instanceof ScanFailed && error.reason === 'too_many_redirects') return { text: '', origins: [] };
    throw error;
  }
}
