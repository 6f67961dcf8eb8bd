import type { AddObservation, Vendor } from '../model/observation.ts';
import type { Effect } from '../script/effect.ts';
import { exactText } from '../script/value.ts';
import { tagId } from './tag-id.ts';

/** Calls that initialize other vendors' tags: path, commands, and ID argument index. */
const INIT_CALLS: Readonly<Record<string, { vendor: Vendor; commands: readonly string[] | null; id: number }>> = {
  'ttq.load': { vendor: 'tiktok', commands: null, id: 0 },
  pintrk: { vendor: 'pinterest', commands: ['load'], id: 1 },
  twq: { vendor: 'x', commands: ['config', 'init'], id: 1 },
  snaptr: { vendor: 'snapchat', commands: ['init'], id: 1 },
  rdt: { vendor: 'reddit', commands: ['init'], id: 1 },
};

const EVENT_CALLS: Readonly<Record<string, { vendor: Vendor; command: string | null; name: number }>> = {
  'ttq.track': { vendor: 'tiktok', command: null, name: 0 },
  'ttq.page': { vendor: 'tiktok', command: null, name: 9 },
  pintrk: { vendor: 'pinterest', command: 'track', name: 1 },
  snaptr: { vendor: 'snapchat', command: 'track', name: 1 },
};

/** Records tags from vendors that no page rule covers, so that the inventory and drift detection include them. */
export function readOtherVendors(effect: Effect, add: AddObservation): void {
  if (effect.op !== 'call') return;
  const { path, args } = effect;
  const start = Object.hasOwn(INIT_CALLS, path) ? INIT_CALLS[path] : undefined;
  if (start && (start.commands === null || start.commands.includes(exactText(args[0]) ?? ''))) {
    const id = tagId(args[start.id]);
    add({ kind: 'init', vendor: start.vendor, api: 'other', id, pageView: null, pii: [], emitter: 'page' });
  }
  const event = Object.hasOwn(EVENT_CALLS, path) ? EVENT_CALLS[path] : undefined;
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
