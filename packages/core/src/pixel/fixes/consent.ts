import type { ESTree } from 'meriyah';
import type { TextEdit } from './file-edit.ts';
import type { Fix } from './fix.ts';
import type { NoFixReason } from './no-fix-reason.ts';
import { deleteCall } from './remove-tag.ts';
import { type CodeCall, callAt } from './tag-statements.ts';
import type { LocatedObservation, ThemeCode } from './theme-code.ts';

const DENIED = `gtag('consent', 'default', {
  ad_storage: 'denied',
  ad_user_data: 'denied',
  ad_personalization: 'denied',
  analytics_storage: 'denied'
});`;

const script = (statement: string): string =>
  [
    '<script>',
    ...[
      'window.dataLayer = window.dataLayer || [];',
      'function gtag(){dataLayer.push(arguments);}',
      ...statement.split('\n'),
    ].map(line => (line === '' ? line : `  ${line}`)),
    '</script>',
  ].join('\n');

/** Inserts a `denied` consent default before the file's first Google tag. */
export const addConsentDefault: Fix = (code, { message_id: message }) => {
  // In other cases, a consent tool might set the default.
  if (message !== 'missing') return 'needs_decision';
  const insertion = insertBeforeTags(code, script(DENIED));
  return typeof insertion === 'string' ? insertion : { edits: [insertion] };
};

/** Moves the consent default before the file's first Google tag. */
export const moveConsentDefault: Fix = code => {
  const defaults = code.observations.filter(
    ({ observation: o }) => o.kind === 'consent' && o.vendor === 'google' && o.command === 'default',
  );
  const [only] = defaults;
  const call = only && callAt(code, only.offset);
  if (!only || !call) return 'unclear';
  if (defaults.length > 1 || only.observation.branches.length > 0) return 'needs_decision';
  const deletion = deleteCall(code, only.offset, new Set(['gtag']));
  if (typeof deletion === 'string') return deletion;
  const text = unindented(code.text.slice(call.from, call.to), code.indentAt(call.from));
  const insertion = insertBeforeTags(code, script(`${text};`));
  if (typeof insertion === 'string') return insertion;
  return code.isPrintedWith(only.offset, insertion.from) ? { edits: [insertion, deletion] } : 'needs_decision';
};

const unindented = (text: string, indent: string): string => text.replaceAll(`\n${indent}`, '\n');

/** Inserts text before the script element of the first Google tag. */
function insertBeforeTags(code: ThemeCode, text: string): TextEdit | NoFixReason {
  const tags = code.observations.filter(({ observation: o }) => isGoogleTag(o));
  const [first] = tags;
  if (!first) return 'other_file';
  const layers = tags.flatMap(({ observation: o }) => (o.kind === 'loader' ? (o.layer ?? []) : []));
  if (layers.some(layer => layer !== 'dataLayer')) return 'needs_code';
  const offsets = tags.map(({ offset }) => elementAt(code, offset)).sort((a, b) => a - b);
  const [at] = offsets;
  if (at === undefined || at < 0) return 'unclear';
  if (!offsets.every(offset => code.isPrintedWith(at, offset))) return 'needs_decision';
  if (!code.isBetweenLiquid(at)) return 'liquid';
  const indent = code.indentAt(at);
  return { from: at, to: at, text: `${text.replaceAll('\n', `\n${indent}`)}\n${indent}` };
}

const isGoogleTag = (o: LocatedObservation['observation']): boolean =>
  (o.kind === 'init' && o.api === 'gtag') || (o.kind === 'loader' && (o.library === 'gtag' || o.library === 'gtm'));

/** Returns the start offset of the script element that contains an offset, or -1 if there isn't one. */
const elementAt = (code: ThemeCode, offset: number): number =>
  code.elements.find(element => {
    if (element.tag !== 'script') return false;
    const range = code.wholeElement(element);
    return range !== null && range.from <= offset && offset < range.to;
  })?.offset ?? -1;

type Settings = { readonly call: CodeCall; readonly properties: readonly ESTree.Property[] };

/** Returns the consent calls and their settings, or null if any call's settings aren't a plain object literal. */
function settingsOf(code: ThemeCode, command: string | null): Settings[] | null {
  const settings: Settings[] = [];
  for (const { observation: o, offset } of code.observations) {
    if (o.kind !== 'consent' || o.vendor !== 'google' || (command !== null && o.command !== command)) continue;
    const call = callAt(code, offset);
    const object = call?.node.arguments[2];
    if (!call || object?.type !== 'ObjectExpression') return null;
    const properties = object.properties.filter((p): p is ESTree.Property => p.type === 'Property' && !p.computed);
    if (properties.length < object.properties.length) return null;
    settings.push({ call, properties });
  }
  return settings;
}

const nameOf = ({ key }: ESTree.Property): string | null =>
  key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null;

/**
 * Adds missing consent signals with the same value as `ad_storage`, which covers these signals in consent mode v1.
 */
export const addConsentSignals: Fix = (code, { ids, variant }) => {
  if (variant !== 'v1') return 'needs_decision';
  const all = settingsOf(code, 'default');
  if (!all || all.length === 0) return 'unclear';
  const edits: TextEdit[] = [];
  for (const { call, properties } of all) {
    const storage = properties.find(property => nameOf(property) === 'ad_storage');
    const value = storage?.value.type === 'Literal' ? storage.value.value : null;
    if (!storage || (value !== 'denied' && value !== 'granted')) return 'needs_decision';
    const missing = ids.filter(id => !properties.some(property => nameOf(property) === id));
    const start = call.script.base + (storage.start ?? 0);
    const end = call.script.base + (storage.end ?? 0);
    const startsLine = code.text.slice(code.text.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
    const isQuoted = storage.key.type === 'Literal';
    const separator = startsLine ? `,\n${code.indentAt(start)}` : ', ';
    const quote = code.masked[end - 1]!;
    const text = missing.map(id => `${separator}${isQuoted ? `${quote}${id}${quote}` : id}: ${quote}${value}${quote}`);
    edits.push({ from: end, to: end, text: text.join('') });
  }
  return { edits };
};

/** Valid consent value for each recognizable spelling. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['deny', 'denied'],
  ['denied', 'denied'],
  ['grant', 'granted'],
  ['granted', 'granted'],
]);

/** Corrects a consent signal's name or value. */
export const correctConsentSignal: Fix = (code, { ids: [name], variant, message_values: { meant } = {} }) => {
  const all = settingsOf(code, null);
  if (!all) return 'unclear';
  const edits: TextEdit[] = [];
  for (const { call, properties } of all) {
    for (const { key, value } of properties.filter(property => nameOf(property) === name)) {
      const { base } = call.script;
      if (variant === 'misspelled') {
        if (typeof meant !== 'string' || properties.some(property => nameOf(property) === meant))
          return 'needs_decision';
        const inner = key.type === 'Literal' ? 1 : 0;
        edits.push({ from: base + (key.start ?? 0) + inner, to: base + (key.end ?? 0) - inner, text: meant });
      } else {
        const written = value.type === 'Literal' && typeof value.value === 'string' ? value.value : '';
        const valid = MEANT.get(written.trim().toLowerCase());
        if (valid === undefined) return 'needs_decision';
        if (valid !== written)
          edits.push({ from: base + (value.start ?? 0) + 1, to: base + (value.end ?? 0) - 1, text: valid });
      }
    }
  }
  return edits.length === 0 ? 'unclear' : { edits };
};
