import type { KeyRecord, KeyScope, RotationOverlap } from '@compliance/store';
import { ACTOR } from '../actor.ts';
import { Failure } from '../failure.ts';
import { day, print, printable, table } from '../output/print.ts';
import { withStore } from '../store.ts';

interface Options {
  data: string;
  json?: boolean;
}

/** `compliance keys issue` */
export async function issueKey({
  scope,
  note,
  data,
  json,
}: Options & { scope: KeyScope; note: string }): Promise<void> {
  const { key, record } = await withStore(data, store => store.keys.issue({ scope, note, actor: ACTOR }));
  print(json ? JSON.stringify({ key, ...record }) : shownOnce(key, record));
}

/** `compliance keys rotate` */
export async function rotateKey(
  id: string,
  { overlap, data, json }: Options & { overlap: RotationOverlap },
): Promise<void> {
  const { key, record } = await withStore(data, store => store.keys.rotate(id, { overlap, actor: ACTOR }));
  const old = overlap === 'now' ? 'The old key has ended.' : `The old key works for ${overlap} more.`;
  print(json ? JSON.stringify({ key, ...record }) : `${shownOnce(key, record)}\n${old}`);
}

/** `compliance keys revoke` */
export async function revokeKey(id: string, { data, json }: Options): Promise<void> {
  const record = await withStore(data, store => store.keys.revoke(id, { actor: ACTOR }));
  print(json ? JSON.stringify(record) : `Revoked ${record.id} (${record.prefix}…${record.last4}).`);
}

/** `compliance keys update` */
export async function updateKey(
  id: string,
  { scope, note, data, json }: Options & { scope?: KeyScope; note?: string },
): Promise<void> {
  if (scope === undefined && note === undefined) throw new Failure('Give --scope, --note or both.', 2);
  const record = await withStore(data, store => store.keys.update(id, { scope, note, actor: ACTOR }));
  print(json ? JSON.stringify(record) : `Updated ${record.id}: ${grant(record)}.`);
}

/** `compliance keys usage` */
export async function showUsage(
  id: string | undefined,
  { days, data, json }: Options & { days: number },
): Promise<void> {
  const usage = await withStore(data, store => store.usage.daily({ keyId: id, days }));
  if (json) return print(JSON.stringify(usage));
  if (usage.length === 0) return print(`No requests in the last ${days} days.`);
  const rows = usage.map(({ day, operation, count }) => [day, `${count}`, operation]);
  print(table(['Day', 'Requests', 'Operation'], [12, 10], rows));
}

/** `compliance keys list` */
export async function listKeys({ all = false, data, json }: Options & { all?: boolean }): Promise<void> {
  const records = await withStore(data, store => store.keys.list({ includeEnded: all }));
  if (json) return print(JSON.stringify(records));
  if (records.length === 0) return print('No keys. Issue one: compliance keys issue --scope all --note delegate:on');
  const rows = records.map(record => [
    record.id,
    `${record.prefix}…${record.last4}`,
    record.scope,
    record.status,
    day(record.createdAt),
    day(record.lastUsedAt),
    printable(record.note),
  ]);
  print(table(['Id', 'Key', 'Scope', 'Status', 'Issued', 'Last used', 'Note'], [36, 30, 8, 11, 13, 13], rows));
}

/** A new key, whole, for the only time. */
export function shownOnce(key: string, record: KeyRecord): string {
  return `${key}\n\nShown once; keep it safe. Id ${record.id}, ${grant(record)}.`;
}

function grant({ scope, note }: KeyRecord): string {
  return `scope ${scope}, note ${note === '' ? 'none' : JSON.stringify(note)}`;
}
