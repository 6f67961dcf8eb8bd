import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import { readBody } from '../http/body.ts';
import { discard, follow } from '../http/follow.ts';
import type { Session } from '../http/session.ts';
import { beside, type Pool, PoolError } from '../pool/index.ts';
import { ScanFailed } from '../scan-failed.ts';
import type { allows } from './allows.ts';

/** The name that a robots.txt can address us by. */
export const product = 'PortfolioCompliance';

const allowsModule = beside(import.meta.url, 'allows');

/**
 * Makes the check that is asked before every request of a capture, page and scripts alike. Each origin's robots.txt is
 * fetched once, through the same gate and out of the same budget.
 *
 * RFC 9309 §2.3.1: no such file (4xx) or lost in redirects means welcome; a server error means keep out; so does a file
 * that cannot be understood within the pool's limits.
 *
 * @returns a function that throws ScanFailed `robots`, or the reason why the origin could not be asked
 */
export function createRobotsCheck(session: Session, pool: Pool): (url: URL) => Promise<void> {
  const files = new Map<string, Promise<string>>();
  return async url => {
    let file = files.get(url.origin);
    if (!file) {
      file = fetchRobots(session, url.origin);
      files.set(url.origin, file);
    }
    const text = await file;
    if (text === '') return;
    const question = { robotsUrl: `${url.origin}/robots.txt`, text, url: url.href, product };
    const allowed = await pool.run<typeof allows>(allowsModule, 'allows', question).catch(error => {
      if (error instanceof PoolError && error.blamesInput) return false;
      throw error;
    });
    if (!allowed) throw new ScanFailed('robots');
  };
}

async function fetchRobots(session: Session, origin: string): Promise<string> {
  try {
    const answer = await follow(session, new URL('/robots.txt', origin), async () => {});
    if (answer.status >= 200 && answer.status < 300) {
      const { bytes } = await readBody(session, answer, session.limits.robotsBytes);
      return legacyHookDecode(bytes);
    }
    discard(answer);
    if (answer.status >= 500) throw new ScanFailed('robots', answer.status);
    return '';
  } catch (error) {
    if (error instanceof ScanFailed && error.reason === 'too_many_redirects') return '';
    throw error;
  }
}
