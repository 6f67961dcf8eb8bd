import type { AddObservation } from '../model/observation.ts';
import type { Effect } from '../script/effect.ts';
import { entry, exactText, type Value } from '../script/value.ts';
import type { ParameterReader } from './event-parameters.ts';
import { tagId } from './tag-id.ts';

/** Advanced matching keys that contain personal data. */
const PERSONAL = ['em', 'email', 'ph', 'phone', 'fn', 'ln', 'db', 'external_id'];
const HASHED = /^[0-9a-f]{64}$/i;

/** Returns the advanced matching keys whose values are personal data in plain text. */
function personalKeys(value: Value | undefined): string[] {
  return PERSONAL.filter(key => {
    const text = exactText(entry(value, key))?.trim();
    if (!text || HASHED.test(text)) return false;
    if (key === 'em' || key === 'email') return /^[^\s@]+@[^\s@]+$/.test(text);
    if (key === 'ph' || key === 'phone') return /^[+()\d\s.-]{7,24}$/.test(text);
    return true;
  });
}

function eventId(options: Value | undefined): 'present' | 'absent' | 'unknown' {
  if (!options || (options.kind === 'literal' && !options.value)) return 'absent';
  if (options.kind !== 'object') return 'unknown';
  return options.entries.has('eventID') || options.entries.has('event_id') ? 'present' : 'absent';
}

/** Records calls to the current Meta pixel (`fbq`) and the discontinued Conversion Tracking Pixel (`_fbq.push`). */
export function readMeta(effect: Effect, parameters: ParameterReader, add: AddObservation): void {
  if (effect.op === 'assign') {
    if (effect.path === '_fbds' || effect.path === '_fbds.pixelId') {
      const id = effect.path === '_fbds' ? entry(effect.value, 'pixelId') : effect.value;
      add({ kind: 'legacy', api: 'meta_call', detail: '_fbds', id: exactText(id) });
    }
    return;
  }
  if (effect.op !== 'call') return;
  if (effect.path === '_fbq.push') readLegacyPush(effect.args[0], add);
  else if (effect.path === 'fbq' || effect.path === '_fbq') readCall(effect.args, parameters, add);
}

function readLegacyPush(list: Value | undefined, add: AddObservation): void {
  if (list?.kind !== 'list') return;
  const command = exactText(list.items[0]);
  if (command !== 'addPixelId' && command !== 'track') return;
  const second = exactText(list.items[1]);
  add({ kind: 'legacy', api: 'meta_call', detail: command, id: second && /^\d+$/.test(second) ? second : null });
}

function readCall(args: readonly Value[], parameters: ParameterReader, add: AddObservation): void {
  const command = exactText(args[0]);
  const vendor = 'meta' as const;
  switch (command) {
    case 'init': {
      const id = tagId(args[1]);
      const confidence = id.value === null ? ({ confidence: 'possible' } as const) : {};
      add(
        { kind: 'init', vendor, api: 'fbq', id, pageView: null, pii: personalKeys(args[2]), emitter: 'page' },
        confidence,
      );
      return;
    }
    case 'track':
    case 'trackCustom':
      add({
        kind: 'event',
        vendor,
        method: command,
        name: exactText(args[1]),
        target: null,
        eventId: eventId(args[3]),
        pii: personalKeys(args[2]),
        parameters: parameters.read(args[2]),
      });
      return;
    case 'trackSingle':
    case 'trackSingleCustom':
      add({
        kind: 'event',
        vendor,
        method: command,
        name: exactText(args[2]),
        target: exactText(args[1]),
        eventId: eventId(args[4]),
        pii: personalKeys(args[3]),
        parameters: parameters.read(args[3]),
      });
      return;
    case 'consent':
      add({
        kind: 'consent',
        vendor,
        command: exactText(args[1]) ?? 'unknown',
        settings: {},
        resolved: true,
        regional: false,
      });
      return;
    case 'dataProcessingOptions': {
      const list = args[1];
      const options = list?.kind === 'list' ? list.items.map(exactText) : null;
      const limited = options === null || options.includes('LDU') ? 'ldu' : 'ldu_off';
      add({ kind: 'consent', vendor, command: limited, settings: {}, resolved: options !== null, regional: false });
      return;
    }
  }
}
