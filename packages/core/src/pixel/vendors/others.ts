import type { Vendor } from '../evidence/sighting.ts';
import type { Effect } from '../script/effect.ts';
import { exactText } from '../script/value.ts';
import { seenId } from './meta.ts';
import type { Add } from './report.ts';

/** Calls that start another vendor's tag: the path, the commands that start it, and which argument is the id. */
const STARTS: Readonly<Record<string, { vendor: Vendor; commands: readonly string[] | null; id: number }>> = {
  'ttq.load': { vendor: 'tiktok', commands: null, id: 0 },
  pintrk: { vendor: 'pinterest', commands: ['load'], id: 1 },
  twq: { vendor: 'x', commands: ['config', 'init'], id: 1 },
  snaptr: { vendor: 'snapchat', commands: ['init'], id: 1 },
  rdt: { vendor: 'reddit', commands: ['init'], id: 1 },
};

const EVENTS: Readonly<Record<string, { vendor: Vendor; command: string | null; name: number }>> = {
  'ttq.track': { vendor: 'tiktok', command: null, name: 0 },
  'ttq.page': { vendor: 'tiktok', command: null, name: 9 },
  pintrk: { vendor: 'pinterest', command: 'track', name: 1 },
  snaptr: { vendor: 'snapchat', command: 'track', name: 1 },
};

/** Reads the tags of vendors that have no rules of their own, so that the inventory and drift know them. */
export function readOthers(effect: Effect, add: Add): void {
  if (effect.op !== 'call') return;
  const { path, args } = effect;
  const start = Object.hasOwn(STARTS, path) ? STARTS[path] : undefined;
  if (start && (start.commands === null || start.commands.includes(exactText(args[0]) ?? ''))) {
    const id = seenId(args[start.id]);
    add({ kind: 'init', vendor: start.vendor, api: 'other', id, pageView: null, pii: [], emitter: 'page' });
  }
  const event = Object.hasOwn(EVENTS, path) ? EVENTS[path] : undefined;
  if (event && (event.command === null || event.command === exactText(args[0]))) {
    add({
      kind: 'event',
      vendor: event.vendor,
      method: 'track',
      name: exactText(args[event.name]),
      target: null,
      eventId: 'unknown',
      pii: [],
    });
  }
}
