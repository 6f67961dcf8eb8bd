import { readFileSync } from 'node:fs';
import { easternDate, listsInForce } from '@compliance/core/tariff';
import { faces, loadFace } from '@compliance/fonts';
import { version } from '../version.ts';
import type { Finding } from './finding.ts';

/** Days after the lists' last known day from which a new release is due. */
const LISTS_AGE = 30;

const DAY_MS = 86_400_000;

/** Whether the Node that runs this is new enough. */
export function nodeFindings(running: string = process.versions.node): Finding[] {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const needed = engines.node.replace('>=', '');
  const [[major, minor], [leastMajor, leastMinor]] = [running, needed].map(text => text.split('.').map(Number)) as [
    [number, number],
    [number, number],
  ];
  const found = `Release ${version} on Node ${running}.`;
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (isEnough) return [{ check: 'release', status: 'ok', found }];
  return [{ check: 'release', status: 'fail', found, todo: `It needs Node ${needed} or newer.` }];
}

/** Whether the lists of this release are still those in force, as far as one can know. */
export function listFindings(now: number): Finding[] {
  const today = easternDate(now);
  const { known_through } = listsInForce(today);
  const age = Math.round((Date.parse(today) - Date.parse(known_through)) / DAY_MS);
  const found = `The lists are known through ${known_through}${age > 0 ? `, ${age} days ago` : ''}.`;
  if (age <= LISTS_AGE) return [{ check: 'lists', status: 'ok', found }];
  const todo = 'They come with the release: install the newest one and start the service again.';
  return [{ check: 'lists', status: 'warn', found: `${found} They may have changed since.`, todo }];
}

/** Whether the faces that certificates are drawn with can be read. */
export async function fontFindings(): Promise<Finding[]> {
  const check = 'fonts';
  const loaded = await Promise.allSettled(faces.map(loadFace));
  const lost = faces.filter((_, at) => loaded[at]!.status === 'rejected');
  if (lost.length === 0) return [{ check, status: 'ok', found: `All ${faces.length} faces of certificates are here.` }];
  const found = `${lost.join(', ')} cannot be read: certificates cannot be drawn in their scripts.`;
  return [{ check, status: 'fail', found, todo: 'Install the packages again.' }];
}
