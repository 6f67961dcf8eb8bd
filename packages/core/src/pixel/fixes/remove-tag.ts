import type { Library, TagObservation } from '../model/observation.ts';
import type { TextEdit } from './file-edit.ts';
import type { CodeEdit, Fix } from './fix.ts';
import type { NoFixReason } from './no-fix-reason.ts';
import { isTagStatement, type TagCode } from './tag-statements.ts';
import { statementAt, type ThemeCode } from './theme-code.ts';

const libraryOf = (observation: TagObservation): Library | null =>
  observation.kind === 'loader' ? observation.library : null;

const legacy = (globals: readonly string[], owns: TagCode['owns']): TagCode => ({ globals: new Set(globals), owns });

/** Code for legacy tags, which no longer work. */
const LEGACY = {
  ga_js_legacy: legacy(
    ['_gaq', '_gat', 'pageTracker'],
    o => libraryOf(o) === 'ga' || (o.kind === 'legacy' && o.api === 'ga') || (o.kind === 'init' && o.api === 'ga'),
  ),
  ga_analytics_js_legacy: legacy(
    ['ga', '__gaTracker', 'GoogleAnalyticsObject'],
    o =>
      libraryOf(o) === 'analytics' ||
      libraryOf(o) === 'optimize' ||
      (o.kind === 'legacy' && o.api === 'analytics') ||
      (o.kind === 'init' && o.api === 'analytics') ||
      (o.kind === 'event' && o.method === 'ga_send'),
  ),
  ga_urchin_legacy: legacy(
    ['_uacct', 'urchinTracker'],
    o => libraryOf(o) === 'urchin' || (o.kind === 'legacy' && o.api === 'urchin'),
  ),
  google_ads_legacy_tags: legacy(
    ['google_conversion_id', 'google_tag_params', 'google_custom_params', 'google_remarketing_only'],
    o => libraryOf(o) === 'conversion' || (o.kind === 'legacy' && o.api === 'ads'),
  ),
  meta_pixel_legacy: legacy(
    ['_fbq', '_fbds'],
    o => libraryOf(o) === 'fbds' || (o.kind === 'legacy' && o.api === 'meta_call'),
  ),
} as const;

/** Deletes a legacy tag's code: whole scripts if they contain nothing else, otherwise the tag's statements. */
export const removeLegacyTag =
  (name: keyof typeof LEGACY): Fix =>
  code =>
    removeTag(code, LEGACY[name]);

/** Deletes the Google Optimize loader. Keeps the anti-flicker snippet, because its CSS can be in another file. */
export const removeOptimize: Fix = code =>
  removeTag(
    code,
    legacy([], o => libraryOf(o) === 'optimize'),
  );

/** Deletes a tag's scripts and statements. */
function removeTag(code: ThemeCode, tag: TagCode): CodeEdit | NoFixReason {
  const ranges: { readonly from: number; readonly to: number }[] = [];
  for (const element of code.elements) {
    if (element.tag !== 'script' || !element.attributes.has('src') || element.inNoscript) continue;
    const start = code.startTag(element);
    const range = code.wholeElement(element);
    const seen = start ? code.observationsIn(start) : [];
    if (range && seen.length > 0 && seen.every(tag.owns)) ranges.push(range);
  }
  for (const script of code.scripts) {
    const own = script.statements.filter(statement => isTagStatement(code, statement, tag));
    if (own.every(({ node }) => node.type === 'EmptyStatement')) continue;
    const range = code.wholeElement(script.element);
    if (own.length === script.statements.length && range) ranges.push(range);
    else {
      for (const statement of own) {
        if (!canDelete(code, statement)) return 'unclear';
        ranges.push(statement);
      }
    }
  }
  return deleteRanges(code, ranges, tag.globals);
}

/**
 * Deletes ranges, unless the deleted code uses one of the tag's global variables and the rest of the file refers to it.
 *
 * @param globals names of the tag's global variables
 */
function deleteRanges(
  code: ThemeCode,
  ranges: readonly { readonly from: number; readonly to: number }[],
  globals: ReadonlySet<string>,
): CodeEdit | NoFixReason {
  if (ranges.length === 0) return 'unclear';
  const edits: TextEdit[] = [];
  let rest = code.masked;
  let deleted = '';
  for (const range of [...ranges].sort((a, b) => b.from - a.from)) {
    const edit = code.deletion(range);
    if (!edit) return 'liquid';
    edits.push(edit);
    deleted += rest.slice(range.from, range.to);
    rest = rest.slice(0, range.from) + rest.slice(range.to);
  }
  const mentions = (text: string, name: string) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(text);
  const removes = [...globals].filter(name => mentions(deleted, name));
  return removes.some(name => mentions(rest, name)) ? 'mixed' : { edits, removes };
}

/**
 * Returns whether deleting a statement preserves the meaning of the surrounding code. JavaScript joins two lines if the
 * first doesn't end with a semicolon and the second can continue it.
 */
function canDelete(code: ThemeCode, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const before = code.masked.slice(0, from).trimEnd().at(-1) ?? '';
  const after = code.masked.slice(to).trimStart();
  return /[;{}>]/.test(before) || !/^[([`+\-/*.,?]/.test(after);
}

const GTAG = new Set(['gtag', 'dataLayer']);

/**
 * Deletes a Google ID's `config` calls and its loader. If another ID needs the loader, changes the loader to load that
 * ID instead.
 */
export const removeGoogleId: Fix = (code, { ids: [id] }) => {
  if (id === undefined) return 'unclear';
  const inits = code.observations.filter(({ observation: o }) => o.kind === 'init' && o.api === 'gtag');
  const initId = (o: TagObservation) => (o.kind === 'init' ? o.id.value : null);
  const own = inits.filter(({ observation }) => initId(observation) === id);
  const others = inits.flatMap(({ observation }) => (initId(observation) === id ? [] : [initId(observation)]));
  const loaders = code.elements.flatMap(element => {
    const start = element.tag === 'script' && element.attributes.has('src') ? code.startTag(element) : null;
    const loader = start && code.observationsIn(start).find(o => libraryOf(o) === 'gtag');
    return loader?.kind === 'loader' ? [{ element, start: start!, id: loader.id }] : [];
  });
  const ownLoaders = loaders.filter(loader => loader.id === id);
  const hasOtherLoader = loaders.some(loader => loader.id !== id);
  if (others.length === 0 && !hasOtherLoader) {
    return removeTag(code, {
      globals: GTAG,
      owns: o =>
        (o.kind === 'init' && o.id.value === id) ||
        (o.kind === 'loader' && o.library === 'gtag' && o.id === id) ||
        (o.kind === 'event' &&
          o.vendor === 'google' &&
          o.method === 'event' &&
          (o.target === null || o.target === id)) ||
        o.kind === 'event_defaults' ||
        (o.kind === 'layer' && o.action === 'push'),
    });
  }
  const edits: TextEdit[] = [];
  for (const { offset } of own) {
    const edit = deleteCall(code, offset, GTAG);
    if (typeof edit === 'string') return edit;
    edits.push(edit);
  }
  for (const { element, start } of ownLoaders) {
    const range = code.wholeElement(element);
    if (hasOtherLoader) {
      const edit = range && code.deletion(range);
      if (!edit) return 'liquid';
      edits.push(edit);
      continue;
    }
    const next = others.find(other => other !== null && /^(?:G|GT|AW)-[\w-]+$/.test(other));
    const at = code.text.indexOf(id, start.from);
    if (!next || at < 0 || at > start.to || !code.isWithoutLiquid(at, at + id.length)) return 'needs_value';
    edits.push({ from: at, to: at + id.length, text: next });
  }
  return edits.length === 0 ? 'unclear' : { edits };
};

/** Deletes the call at an offset if the call is an entire statement. */
export function deleteCall(code: ThemeCode, offset: number, globals: ReadonlySet<string>): TextEdit | NoFixReason {
  const script = code.scripts.find(({ base, element }) => base <= offset && offset < base + element.text.length);
  const statement = script && statementAt(script, offset);
  if (!statement || statement.from !== offset) return 'unclear';
  const tag = { globals, owns: () => true };
  if (!isTagStatement(code, statement, tag) || !canDelete(code, statement)) return 'unclear';
  const isOnly = script.statements.length === 1 && statement.ancestors.length === 0;
  return code.deletion((isOnly && code.wholeElement(script.element)) || statement) ?? 'liquid';
}

/** Deletes the calls for an event that an app also sends. */
export const removeMetaEvent: Fix = (code, { ids: [name] }) => {
  const edits: TextEdit[] = [];
  for (const { observation: o, offset } of code.observations) {
    if (o.kind !== 'event' || o.vendor !== 'meta' || o.method !== 'track' || o.name !== name) continue;
    const edit = deleteCall(code, offset, new Set(['fbq']));
    if (typeof edit === 'string') return edit;
    edits.push(edit);
  }
  return edits.length === 0 ? 'unclear' : { edits };
};

/** Events that Shopify app pixels send. An app doesn't make any other event redundant. */
const APP_EVENTS = new Set('PageView,ViewContent,Search,AddToCart,InitiateCheckout,AddPaymentInfo,Purchase'.split(','));

/** Deletes a Meta pixel and its `<noscript>` image, because an app runs the same pixel. */
export const removeMetaPixel: Fix = (code, { ids: [id] }) => {
  if (id === undefined) return 'unclear';
  const all = code.observations.map(({ observation }) => observation);
  const own = all.filter(o => 'vendor' in o && o.vendor === 'meta');
  if (own.some(o => o.kind === 'init' && o.id.value !== id)) return 'mixed';
  if (own.some(o => o.kind === 'event' && (o.name === null || !APP_EVENTS.has(o.name)))) return 'needs_decision';
  const removed = removeTag(code, {
    globals: new Set(['fbq', '_fbq']),
    owns: o => 'vendor' in o && o.vendor === 'meta',
  });
  if (typeof removed === 'string') return removed;
  const images = deleteImages(code, o => o.kind === 'beacon' && o.vendor === 'meta' && o.params.id === id);
  return images === null ? 'liquid' : { ...removed, edits: [...removed.edits, ...images] };
};

/** Deletes images for the discontinued Conversion Tracking Pixel. */
export const removeMetaLegacyImages: Fix = (code, { ids }) => {
  const edits = deleteImages(
    code,
    o =>
      o.kind === 'beacon' &&
      o.vendor === 'meta' &&
      (o.api === 'offsite' || (/^\d+$/.test(o.params.ev ?? '') && !o.params.id)) &&
      (ids.length === 0 ? !o.params.ev : o.params.ev === ids[0]),
  );
  return edits === null ? 'liquid' : edits.length === 0 ? 'unclear' : { edits };
};

/**
 * Deletes images, and their `<noscript>` elements if those contain nothing else.
 *
 * @returns edits, or null if an image contains Liquid code
 */
function deleteImages(code: ThemeCode, isOwn: (observation: TagObservation) => boolean): TextEdit[] | null {
  const edits: TextEdit[] = [];
  for (const { observation, offset } of code.observations) {
    if (!isOwn(observation)) continue;
    const image = code.elements.find(element => element.offset === offset && element.tag === 'img');
    const range = image && code.startTag(image);
    if (!range) continue;
    const noscript = code.elements
      .flatMap(element => (element.tag === 'noscript' ? (code.wholeElement(element) ?? []) : []))
      .find(({ from, to }) => from < offset && offset < to);
    const isOnly =
      noscript !== undefined &&
      /^<noscript\s*>$/i.test(code.text.slice(noscript.from, range.from).trim()) &&
      /^<\/noscript\s*>$/i.test(code.text.slice(range.to, noscript.to).trim());
    const edit = code.deletion(isOnly ? noscript : range);
    if (!edit) return null;
    edits.push(edit);
  }
  return edits;
}
