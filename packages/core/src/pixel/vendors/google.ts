import type { AddObservation } from '../model/observation.ts';
import type { Effect } from '../script/effect.ts';
import { entry, exactText, texts, UNKNOWN, type Value } from '../script/value.ts';
import type { ParameterReader } from './event-parameters.ts';
import { tagId } from './tag-id.ts';

/** Names that earlier code on the page defines: the analytics object, data layers, and the shop's own functions. */
export interface GoogleNames {
  readonly analytics: Set<string>;
  readonly layers: Set<string>;
  readonly shopFunctions: Set<string>;
}

/**
 * Records calls and global variables that belong to Google tags: gtag, Tag Manager, and three older generations of
 * Google Analytics.
 */
export function readGoogle(effect: Effect, names: GoogleNames, parameters: ParameterReader, add: AddObservation): void {
  if (effect.op === 'define') {
    names.shopFunctions.add(effect.path);
    return;
  }
  if (effect.op === 'assign') {
    readAssign(effect.path, effect.value, effect, names, add);
    return;
  }
  if (effect.op === 'literal') {
    if (effect.text.includes('async-hide')) add({ kind: 'anti_flicker', id: null });
    return;
  }
  if (effect.op !== 'call') return;
  const { path, args } = effect;
  if (path === 'gtag') readGtag(args, parameters, add);
  else if (path.endsWith('.push') && path !== '_gaq.push') readPush(path.slice(0, -5), args, names, parameters, add);
  else if (path === '_gaq.push') for (const item of args) readQueue(item, effect.guards, add);
  else if (names.analytics.has(path)) readAnalytics(args, add);
  else if (path === '_gat._getTracker' || path === '_gat._createTracker') addAccount(args[0], effect.guards, add);
  else if (path === 'urchinTracker' && !names.shopFunctions.has(path))
    add({ kind: 'legacy', api: 'urchin', detail: path, id: null });
}

function readAssign(path: string, value: Value, effect: Effect, names: GoogleNames, add: AddObservation): void {
  const text = exactText(value);
  switch (path) {
    case 'GoogleAnalyticsObject':
      if (text) names.analytics.add(text);
      add({ kind: 'legacy', api: 'analytics', detail: 'GoogleAnalyticsObject', id: null });
      return;
    case '_uacct':
      add({ kind: 'legacy', api: 'urchin', detail: path, id: text });
      return;
    case '_gaq':
      if (value.kind === 'list') for (const item of value.items) readQueue(item, effect.guards, add);
      return;
    case 'google_conversion_id':
    case 'google_tag_params':
    case 'google_custom_params':
      add({ kind: 'legacy', api: 'ads', detail: path, id: text });
      return;
    case 'dataLayer.hide':
      if (value.kind === 'object')
        add({ kind: 'anti_flicker', id: [...value.entries.keys()].find(k => /^(?:GTM|OPT)-/.test(k)) ?? null });
      return;
  }
  const replaces = value.kind === 'list' || value.kind === 'object';
  if (replaces && !path.includes('.') && (names.layers.has(path) || path === 'dataLayer')) {
    const conditional = effect.branches.length > 0 || effect.state !== 'run';
    add({ kind: 'layer', name: path, action: 'overwrite', conditional });
  }
}

/** Maximum number of parameters read from a consent call. Consent mode has nine parameters. */
const MAX_SETTINGS = 40;

function readGtag(args: readonly Value[], reader: ParameterReader, add: AddObservation): void {
  const command = exactText(args[0]);
  const vendor = 'google' as const;
  if (command === 'config') {
    const id = tagId(args[1]);
    const sends = entry(args[2], 'send_page_view');
    const pageView = sends?.kind === 'literal' ? sends.value !== false && sends.value !== 'false' : sends ? null : true;
    const confidence = id.value === null ? ({ confidence: 'possible' } as const) : {};
    add({ kind: 'init', vendor, api: 'gtag', id, pageView, pii: [], emitter: 'page' }, confidence);
    if (args[2]) add({ kind: 'event_defaults', vendor, parameters: reader.read(args[2]) });
  } else if (command === 'event') {
    const target = exactText(entry(args[2], 'send_to'));
    const parameters = reader.read(args[2]);
    const details = { kind: 'event', vendor, method: 'event', name: exactText(args[1]), target } as const;
    add({ ...details, eventId: 'unknown', pii: [], parameters });
  } else if (command === 'set') {
    // `gtag('set', name, value)` sets one parameter, and `gtag('set', parameters)` sets several.
    const name = exactText(args[1]);
    const one: Value | undefined =
      name === null ? args[1] : { kind: 'object', entries: new Map([[name, args[2] ?? UNKNOWN]]) };
    add({ kind: 'event_defaults', vendor, parameters: reader.read(one) });
  } else if (command === 'consent') {
    const settings: Record<string, string> = {};
    const object = args[2];
    if (object?.kind === 'object') {
      let count = 0;
      for (const [key, value] of object.entries) {
        if (++count > MAX_SETTINGS) break;
        settings[key] = consentValue(value);
      }
    }
    const resolved = object?.kind === 'object';
    add({
      kind: 'consent',
      vendor,
      command: exactText(args[1]) ?? 'unknown',
      settings,
      resolved,
      regional: 'region' in settings,
    });
  }
}

/**
 * Returns the value of a consent signal, or `unknown` if the value can't be resolved. An invalid value in a variable is
 * also `unknown`, because code might replace the value later.
 */
function consentValue(value: Value): string {
  const text = value.kind === 'literal' && typeof value.value === 'boolean' ? String(value.value) : exactText(value);
  const isAssumed = value.kind === 'literal' && value.derived && text !== 'granted' && text !== 'denied';
  return text === null || isAssumed ? 'unknown' : text;
}

function readPush(
  layer: string,
  args: readonly Value[],
  names: GoogleNames,
  parameters: ParameterReader,
  add: AddObservation,
): void {
  const [first] = args;
  if (first?.kind === 'list' && first.isArguments) {
    readGtag(first.items, parameters, add);
    return;
  }
  if (first?.kind !== 'object') {
    if (layer === 'dataLayer') add({ kind: 'layer', name: layer, action: 'push', conditional: true });
    return;
  }
  if (first.entries.has('gtm.start')) names.layers.add(layer);
  else if (layer === 'dataLayer' || names.layers.has(layer))
    add({ kind: 'layer', name: layer, action: 'push', conditional: false });
}

function addAccount(value: Value | undefined, guards: readonly string[], add: AddObservation): void {
  const id = tagId(value);
  add({ kind: 'init', vendor: 'google', api: 'ga', id, pageView: null, pii: [], emitter: 'page' });
  add({ kind: 'legacy', api: 'ga', detail: guards.includes('_gaq') ? 'guarded' : 'account', id: id.value });
}

function readQueue(item: Value, guards: readonly string[], add: AddObservation): void {
  if (item.kind !== 'list') return;
  const command = exactText(item.items[0]);
  if (command === null) return;
  if (/(?:^|\.)_setAccount$/.test(command)) addAccount(item.items[1], [], add);
  else if (/(?:^|\.)_[a-z]\w+$/.test(command)) {
    add({
      kind: 'legacy',
      api: 'ga',
      detail: guards.includes('_gaq') || guards.includes('_gat') ? 'guarded' : 'call',
      id: null,
    });
  }
}

function readAnalytics(args: readonly Value[], add: AddObservation): void {
  const command = exactText(args[0]);
  if (command === 'create') {
    const fromObject = entry(args[1], 'trackingId');
    const id = tagId(fromObject ?? args[1]);
    const options =
      args.find(a => a.kind === 'path' && a.path === '_gaUTrackerOptions') ??
      args.find(a => entry(a, 'allowLinker') && args.length === 4);
    const emitter = options ? 'shopify' : 'page';
    add({ kind: 'init', vendor: 'google', api: 'analytics', id, pageView: null, pii: [], emitter });
  } else if (command === 'require') {
    for (const plugin of texts(args[1]))
      if (/^(?:GTM|OPT)-/.test(plugin))
        add({
          kind: 'loader',
          vendor: 'google',
          library: 'optimize',
          id: plugin,
          host: '',
          path: '',
          official: true,
          layer: null,
        });
  } else if (command !== null && /(?:^|\.)send$/.test(command)) {
    add({
      kind: 'event',
      vendor: 'google',
      method: 'ga_send',
      name: exactText(args[1]),
      target: null,
      eventId: 'unknown',
      pii: [],
    });
  }
}
