import { easternDate } from '@compliance/core/tariff';
import { faces, loadFace } from '@compliance/fonts';
import { createListsSource } from '@compliance/lists/installed';
import { STALE_LISTS_DAYS } from '@compliance/server/readiness';
import { listsFolder } from '../data-folder/lists-folder.ts';
import { supportedNode } from '../supported-node.ts';
import { version } from '../version.ts';
import type { CheckResult } from './check-result.ts';

const DAY_MS = 86_400_000;

/** Checks that this release supports the running version of Node.js. */
export function checkNode(running: string = process.versions.node): CheckResult {
  const { required, isSupported } = supportedNode(running);
  const found = `Release ${version} is running on Node.js ${running}.`;
  if (isSupported) return { check: 'release', status: 'ok', found };
  return { check: 'release', status: 'fail', found, todo: `Install Node.js ${required} or later.` };
}

/** Checks the age of the lists that the service uses, and whether the installed data set, if any, is usable. */
export function checkTariffLists(dataDir: string, now: number): CheckResult[] {
  const lists = createListsSource({ folder: listsFolder(dataDir) });
  const { origin, version: data, known_through, problem } = lists.status();
  lists.close();
  const age = Math.round((Date.parse(easternDate(now)) - Date.parse(known_through)) / DAY_MS);
  const which = origin === 'installed' ? 'installed' : 'bundled';
  const found = `The ${which} data set ${data} is current through ${known_through}${age > 0 ? ` (${age} ${age === 1 ? 'day' : 'days'} ago)` : ''}.`;
  const check = 'lists';
  if (problem !== null) {
    const todo = 'Run: compliance lists update';
    return [{ check, status: 'fail', found: `The installed data set can't be used: ${problem} ${found}`, todo }];
  }
  if (age <= STALE_LISTS_DAYS) return [{ check, status: 'ok', found }];
  const todo = 'Install the latest release, or run: compliance lists update';
  return [{ check, status: 'warn', found: `${found} The lists might have changed since that date.`, todo }];
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
