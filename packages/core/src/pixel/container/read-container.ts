import { looseUrl } from '../html/url.ts';
import type { Container, ContainerTag, ContainerTagIds, UnreadableContainer } from '../model/container.ts';
import type { Vendor } from '../model/vendor.ts';
import { vendorOfHost } from '../vendors/known-urls.ts';
import { readConfigLiteral } from './config-literal.ts';
import { type TagType, tagTypeOf } from './tag-types.ts';
import { readTriggers, type TagTriggers } from './triggers.ts';
import { isObject, own, ownList, Values } from './values.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Maximum number of tags, variables, predicates, or rules. Google's own limits are lower. */
const MAX_ITEMS = 5_000;
const MAX_PARAMETERS = 60;

/**
 * Reads the configuration in a container file, such as `gtm.js` or `gtag/js`. Never runs or parses the library code and
 * never throws an error. A file with too many entries can't be read. The amount of work, text, and nesting is also
 * limited, and `truncated` is true if one of these limits is exceeded. `id` is the ID in the file's URL. If `id` is
 * null, the ID in the file is used.
 *
 * The file format isn't documented. We inferred it from containers that Google served between 2021 and 2026.
 *
 * @example
 * readContainer('var data = {"resource":{"version":"3","macros":[],"tags":[{"function":"__html","vtp_html":"<p>"}]}};')
 * // { id: null, version: '3', tags: [{ number: 1, type: 'Custom HTML', … }], … }
 */
export function readContainer(source: string, id: string | null = null): Container | UnreadableContainer {
  const literal = readConfigLiteral(source);
  if (typeof literal === 'string') return { unreadable: literal };
  const { data, end } = literal;
  const resource = isObject(data) ? own(data, 'resource') : null;
  if (!isObject(data) || !isObject(resource))
    return { unreadable: 'the configuration doesn’t contain a resource object' };
  const items = (key: string): readonly unknown[] => ownList(resource, key);
  const lists = ['macros', 'tags', 'predicates', 'rules'].map(items);
  if (lists.some(list => list.length > MAX_ITEMS)) return { unreadable: 'the configuration has too many entries' };
  const [macros, tags, predicates, rules] = lists as [unknown[], unknown[], unknown[], unknown[]];
  const containerId = id ?? idIn(data, source, end);
  const values = new Values(macros, containerId);
  const reader = new TagReader(values, data);
  const triggers = readTriggers(rules, predicates, values);
  const sequence = readSequences(tags);
  const version = own(resource, 'version');
  return {
    id: containerId,
    version: typeof version === 'string' || typeof version === 'number' ? String(version).slice(0, 20) : null,
    tags: tags.flatMap((tag, index) =>
      isObject(tag) ? [reader.read(tag, index, triggers.get(index), sequence.get(index) ?? [])] : [],
    ),
    templates: templatesOf(data),
    serverUrls: [...reader.serverUrls].sort(),
    truncated: values.truncated,
  };
}

/** Returns the container ID from the file's configuration or from a setting in its library code. */
function idIn(data: JsonObject, source: string, end: number): string | null {
  const blob = own(data, 'blob');
  const inBlob = isObject(blob) ? (own(blob, '5') ?? own(blob, '10')) : null;
  if (typeof inBlob === 'string' && GOOGLE_ID.test(inBlob)) return inBlob;
  const library = source.slice(end, end + 4_000_000);
  const found =
    /\bctid:\s?"([A-Z]{1,3}-[\w-]{4,20})"/.exec(library) ?? /[\w=:]\s?"((?:GTM|GT|G|AW)-[A-Z0-9]{4,14})"/.exec(library);
  return found && GOOGLE_ID.test(found[1]!) ? found[1]! : null;
}

const GOOGLE_ID = /^(?:G|GT|AW|DC|GTM|UA)-[\w-]{4,20}$/;

/** Maps the index of each setup or cleanup tag to the numbers (starting at 1) of the tags that run it. */
function readSequences(tags: readonly unknown[]): Map<number, number[]> {
  const runners = new Map<number, number[]>();
  tags.forEach((tag, index) => {
    if (!isObject(tag)) return;
    for (const key of ['setup_tags', 'teardown_tags'])
      for (const entry of ownList(tag, key).slice(1, 20)) {
        if (!Array.isArray(entry) || entry[0] !== 'tag') continue;
        const found = runners.get(Number(entry[1])) ?? [];
        if (found.length < 20) found.push(index + 1);
        runners.set(Number(entry[1]), found);
      }
  });
  return runners;
}

/** Returns the names of the sandboxed templates whose code the file contains. */
function templatesOf(data: JsonObject): string[] {
  const names = ownList(data, 'runtime').flatMap(template =>
    Array.isArray(template) && typeof template[1] === 'string' ? [template[1].slice(0, 60)] : [],
  );
  return [...new Set(names)].slice(0, MAX_ITEMS).sort();
}

/** Matches the names of template parameters that contain IDs. */
const TEMPLATE_ID =
  /^(?:(?:pixel|tag|account|measurement|partner|advertiser|site|dataset|container|tracking)_?ids?|pixel_?code)$/i;
/** Names of template parameters that contain event names, in order of preference. */
const TEMPLATE_EVENTS = ['standardEventName', 'customEventName', 'eventName', 'event_name', 'eventType', 'event'];
const SERVER_URLS = new Set([
  'serverContainerUrl',
  'transportUrl',
  'server_container_url',
  'transport_url',
  'server_url',
]);

class TagReader {
  readonly serverUrls = new Set<string>();
  readonly #values: Values;
  readonly #permissions: JsonObject;

  constructor(values: Values, data: JsonObject) {
    this.#values = values;
    const permissions = own(data, 'permissions');
    this.#permissions = isObject(permissions) ? permissions : {};
  }

  read(tag: JsonObject, index: number, found: TagTriggers | undefined, sequencedBy: readonly number[]): ContainerTag {
    const code = String(own(tag, 'function') ?? '').slice(0, 60);
    const type = tagTypeOf(code);
    const template = code.startsWith('__cvt_');
    const unknown = new Set<string>();
    const parameters = this.#parameters(tag, unknown);
    const isHtml = code === '__html';
    const original = own(tag, 'vtp_originalTagType');
    const paused = code === '__paused';
    const name = paused && typeof original === 'string' ? tagTypeOf(`__${original.slice(0, 40)}`).name : type.name;
    const tagId = own(tag, 'tag_id');
    return {
      number: index + 1,
      tagId: typeof tagId === 'number' || typeof tagId === 'string' ? String(tagId).slice(0, 20) : null,
      code,
      type: name,
      role: type.role,
      vendor: template ? this.#vendorOf(code) : type.vendor,
      template,
      ids: template ? this.#templateIds(tag) : this.#ids(tag, type),
      event: template ? this.#templateEvent(tag) : this.#event(tag, type),
      parameters,
      html: isHtml ? this.#values.markup(own(tag, 'vtp_html')) : null,
      imageUrl: code === '__img' ? this.#values.shown(own(tag, 'vtp_url')) : null,
      triggers: found?.triggers ?? [],
      exceptions: found?.exceptions ?? [],
      sequencedBy,
      consent: consentTypes(tag),
      setsConsent: template && this.#setsConsent(code),
      paused,
      once: own(tag, 'once_per_load') === true ? 'page' : own(tag, 'once_per_event') === true ? 'event' : null,
      priority: typeof own(tag, 'priority') === 'number' ? (own(tag, 'priority') as number) : 0,
      unknown: [...unknown].slice(0, MAX_PARAMETERS),
    };
  }

  /** Returns the tag's parameters as text. Each settings table row becomes a parameter with the row's name. */
  #parameters(tag: JsonObject, unknown: Set<string>): Record<string, string> {
    const found: [string, string][] = [];
    const add = (name: string, value: unknown): void => {
      if (found.length >= MAX_PARAMETERS) return;
      const text = this.#values.shown(value, unknown);
      found.push([name.slice(0, 60), text]);
      if (SERVER_URLS.has(name) && text !== '' && this.serverUrls.size < 20) this.serverUrls.add(text);
    };
    for (const key of Object.keys(tag)) {
      if (!key.startsWith('vtp_') || key === 'vtp_html') continue;
      const value = own(tag, key);
      const rows = this.#values.rows(value);
      const named = rows.filter(row => row.has('parameter') || row.has('name') || row.has('fieldName'));
      if (named.length === 0) add(key.slice(4), value);
      for (const row of named.slice(0, MAX_PARAMETERS)) {
        const name = this.#values.shown(row.get('parameter') ?? row.get('name') ?? row.get('fieldName'));
        add(name, row.get('parameterValue') ?? row.get('value'));
      }
    }
    // `Object.fromEntries` defines own properties, so a parameter named `__proto__` is harmless.
    return Object.fromEntries(found);
  }

  #ids(tag: JsonObject, { ids, prefix }: TagType): ContainerTagIds {
    const settings = this.#values.variableOf(own(tag, 'vtp_gaSettings'));
    for (const key of ids) {
      const value = own(tag, `vtp_${key}`) ?? (settings && own(settings, `vtp_${key}`));
      if (value === undefined || value === null || value === '') continue;
      return this.#toIds(value, text => (prefix && !text.startsWith(prefix) ? prefix + text : text));
    }
    return { values: [], exact: true };
  }

  #toIds(value: unknown, complete: (text: string) => string): ContainerTagIds {
    const { texts, exact } = this.#values.options(value);
    const known = texts.map(text => text.trim()).filter(text => text !== '');
    return { values: [...new Set(known.map(complete))], exact };
  }

  #event(tag: JsonObject, { event }: TagType): string | null {
    if (event === null) return null;
    if (event.startsWith('=')) return event.slice(1);
    const value = own(tag, `vtp_${event}`);
    return value === undefined || value === '' ? null : this.#values.shown(value);
  }

  #templateIds(tag: JsonObject): ContainerTagIds {
    const values: string[] = [];
    let exact = true;
    for (const key of Object.keys(tag)) {
      if (!key.startsWith('vtp_') || !TEMPLATE_ID.test(key.slice(4))) continue;
      const ids = this.#toIds(own(tag, key), text => text);
      values.push(...ids.values.flatMap(text => text.split(/[\s,;]+/)).filter(text => /^[\w-]{4,40}$/.test(text)));
      exact &&= ids.exact;
    }
    return { values: [...new Set(values)].slice(0, 20), exact };
  }

  #templateEvent(tag: JsonObject): string | null {
    const kinds = new Set(['standard', 'custom', 'variable', 'inherit', 'track', 'conversion']);
    for (const name of TEMPLATE_EVENTS) {
      const value = own(tag, `vtp_${name}`);
      if (value === undefined || value === null || value === '') continue;
      const text = this.#values.shown(value);
      // In common templates, this parameter specifies which other parameter contains the event name.
      if (!kinds.has(text)) return text;
    }
    return null;
  }

  /** Returns the vendor whose library or endpoint a template is permitted to use. */
  #vendorOf(code: string): Vendor | null {
    const permissions = own(this.#permissions, code);
    if (!isObject(permissions)) return null;
    for (const permission of ['inject_script', 'send_pixel']) {
      const granted = own(permissions, permission);
      for (const url of isObject(granted) ? ownList(granted, 'urls').slice(0, 20) : []) {
        const vendor = typeof url === 'string' ? vendorOfHost(looseUrl(url).host.replace(/^\*\./, '')) : null;
        if (vendor) return vendor;
      }
    }
    return null;
  }

  /** Returns whether a template is permitted to change the page's consent state, not just read it. */
  #setsConsent(code: string): boolean {
    const permissions = own(this.#permissions, code);
    const granted = isObject(permissions) ? own(permissions, 'access_consent') : null;
    if (!isObject(granted)) return false;
    return ownList(granted, 'consentTypes').some(type => isObject(type) && own(type, 'write') === true);
  }
}

/** Returns the consent types that a tag requires, or `null` if the container has no consent settings for the tag. */
function consentTypes(tag: JsonObject): string[] | null {
  const consent = own(tag, 'consent');
  if (!Array.isArray(consent) || consent[0] !== 'list') return null;
  return consent
    .slice(1, 20)
    .filter((type): type is string => typeof type === 'string')
    .map(type => type.slice(0, 40));
}
