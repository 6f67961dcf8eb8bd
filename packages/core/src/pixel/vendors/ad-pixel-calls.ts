import type { AdPixel, CallArgument } from '../ad-pixels/ad-pixel.ts';
import { AD_PIXELS, type AdVendor } from '../ad-pixels/ad-pixels.ts';
import type { AddObservation } from '../model/observation.ts';
import type { Effect } from '../script/effect.ts';
import { entry, exactText, type Value } from '../script/value.ts';
import { tagId } from './tag-id.ts';

type Pixel = AdPixel<AdVendor>;

/** Pixels, keyed by the names of the functions, queues, classes, variables, and lists that their code uses. */
const BY_NAME = new Map<string, Pixel>(
  AD_PIXELS.flatMap(pixel => {
    const { initClass, variables } = pixel.calls;
    const names = [...pixel.globals, initClass?.name, ...(variables?.names ?? []), variables?.list];
    return names.flatMap(name => (name === undefined ? [] : [[name, pixel] as const]));
  }),
);

/**
 * Records the pixels that code initializes, and the events and consent choices that code sends to them. `assigned`
 * collects the IDs that code assigns to variables, so that an ID is recorded only once even if code also adds it to a
 * list.
 */
export function readAdPixelCall(effect: Effect, assigned: Set<string>, add: AddObservation): void {
  if (effect.op !== 'call' && effect.op !== 'define' && effect.op !== 'assign') return;
  const { path } = effect;
  const dot = path.indexOf('.');
  const name = dot < 0 ? path : path.slice(0, dot);
  const pixel = BY_NAME.get(name);
  if (!pixel) return;
  const { initClass, variables } = pixel.calls;
  if (effect.op === 'define') {
    if (pixel.globals.includes(name)) add({ kind: 'stub', vendor: pixel.vendor });
  } else if (effect.op === 'assign') {
    const isEmpty = effect.value.kind === 'literal' && effect.value.value === undefined;
    if (!variables?.names.includes(path) || isEmpty) return;
    assigned.add(`${pixel.vendor} ${exactText(effect.value)}`);
    addInit(pixel, effect.value, add);
  } else if (path === initClass?.name) addInit(pixel, entry(effect.args[0], initClass.key), add);
  else if (variables && path === `${variables.list}.push`) {
    const [id] = effect.args;
    if (!assigned.delete(`${pixel.vendor} ${exactText(id)}`)) addInit(pixel, id, add);
  } else if (pixel.globals.includes(name)) readCommand(pixel, wordsOf(path.slice(name.length + 1), effect.args), add);
}

/** Returns a call's command and arguments, regardless of how the call is written, or `null` for other calls. */
function wordsOf(method: string, args: readonly Value[]): readonly Value[] | null {
  if (method === '') return args;
  if (method === 'push') return args[0]?.kind === 'list' ? args[0].items : args;
  return method.includes('.') ? null : [{ kind: 'literal', value: method }, ...args];
}

function readCommand(pixel: Pixel, words: readonly Value[] | null, add: AddObservation): void {
  if (!words) return;
  const { vendor, calls } = pixel;
  const command = exactText(words[0]);
  if (command === null) return;
  const args = words.slice(1);
  if (Object.hasOwn(calls.init, command)) addInit(pixel, argument(args, calls.init[command]!), add);
  else if (Object.hasOwn(calls.event, command))
    addEvent(vendor, 'track', exactText(argument(args, calls.event[command]!)), add);
  else if (calls.pageView.includes(command)) addEvent(vendor, 'page', 'PageView', add);
  else if (calls.consent.includes(command)) {
    const choice = exactText(args[0]) === 'default' ? 'default' : command;
    add({ kind: 'consent', vendor, command: choice, settings: {}, resolved: true, regional: false });
  }
}

const argument = (args: readonly Value[], { index, key }: CallArgument): Value | undefined =>
  key === undefined ? args[index] : entry(args[index], key);

function addInit({ vendor }: Pixel, id: Value | undefined, add: AddObservation): void {
  add({ kind: 'init', vendor, api: 'other', id: tagId(id), pageView: null, pii: [], emitter: 'page' });
}

function addEvent(vendor: AdVendor, method: 'track' | 'page', name: string | null, add: AddObservation): void {
  add({ kind: 'event', vendor, method, name, target: null, eventId: 'unknown', pii: [] });
}
