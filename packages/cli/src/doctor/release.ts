import { readFileSync } from 'node:fs';
import { easternDate, listsInForce } from '@compliance/core/tariff';
import { faces, loadFace } from '@compliance/fonts';
import { STALE_LISTS_DAYS } from '@compliance/server/readiness';
import { version } from '../version.ts';
import type { CheckResult } from './check-result.ts';

const DAY_MS = 86_400_000;

/** Checks that this release supports the running version of Node.js. */
export function checkNode(running: string = process.versions.node): CheckResult {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const required = engines.node.replace('>=', '');
  const [[major, minor], [minMajor, minMinor]] = [running, required].map(text => text.split('.').map(Number)) as [
    [number, number],
    [number, number],
  ];
  const found = `Release ${version} is running on Node.js ${running}.`;
  const isSupported = major > minMajor || (major === minMajor && minor >= minMinor);
  if (isSupported) return { check: 'release', status: 'ok', found };
  return { check: 'release', status: 'fail', found, todo: `Install Node.js ${required} or later.` };
}

/** Checks the age of the lists in this release. */
export function checkTariffLists(now: number): CheckResult[] {
  const today = easternDate(now);
  const { known_through } = listsInForce(today);
  const age = Math.round((Date.parse(today) - Date.parse(known_through)) / DAY_MS);
  const found = `The lists are current through ${known_through}${age > 0 ? ` (${age} days ago)` : ''}.`;
  if (age <= STALE_LISTS_DAYS) return [{ check: 'lists', status: 'ok', found }];
  const todo = 'The lists are part of each release. Install the latest release and restart the service.';
  return [{ check: 'lists', status: 'warn', found: `${found} The lists might have changed since that date.`, todo }];
}

/** Checks that the certificate PDF fonts can be read. */
export async function checkFonts(): Promise<CheckResult[]> {
  const check = 'fonts';
  const loaded = await Promise.allSettled(faces.map(loadFace));
  const unreadable = faces.filter((_, i) => loaded[i]!.status === 'rejected');
  if (unreadable.length === 0)
    return [{ check, status: 'ok', found: `All ${faces.length} certificate fonts are installed.` }];
  const found = `Can't read ${unreadable.join(', ')}, so certificates that need these fonts can't be created.`;
  return [{ check, status: 'fail', found, todo: 'Reinstall the npm packages.' }];
}
