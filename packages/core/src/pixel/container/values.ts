import { UNRESOLVED } from '../model/unresolved.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a parsed JSON value is an object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an object's own property, so that a key such as `constructor` can't reach the prototype. */
export const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Returns an object's own property if it's an array, or an empty array otherwise. */
export const ownList = (object: JsonObject, key: string): readonly unknown[] => {
  const value = own(object, key);
  return Array.isArray(value) ? value : [];
};

/** Possible strings for a value. `exact` is true if `texts` has one string and the value is always that string. */
export interface PossibleTexts {
  readonly texts: readonly string[];
  readonly exact: boolean;
}

/** Maximum nesting depth of variables, lists, and templates. */
const MAX_DEPTH = 12;
/** Maximum length of display text, in characters. */
const MAX_TEXT = 300;
/** Maximum length of a custom HTML tag's markup, in characters. */
const MAX_HTML = 65_536;
/** Maximum number of values to resolve in a container. The largest known container needs about 10,000. */
const MAX_STEPS = 400_000;
/** Maximum total length of a container's resolved values, in characters. */
const MAX_WRITTEN = 4_000_000;
const MAX_OPTIONS = 30;

/**
 * Resolves values in a container. A value is a literal or an array such as `["macro", 3]` (a variable),
 * `["template", "a", ["macro", 3]]`, `["list", …]`, `["map", key, value, …]`, or `["escape", value, code, …]`. The
 * number and total length of resolved values are limited, so nested or cyclic variables can't exhaust time or memory.
 */
export class Values {
  truncated = false;
  readonly #macros: readonly unknown[];
  readonly #containerId: string | null;
  readonly #options = new Map<number, PossibleTexts>();
  readonly #open = new Set<number>();
  #steps = 0;
  #written = 0;

  constructor(macros: readonly unknown[], containerId: string | null) {
    this.#macros = macros;
    this.#containerId = containerId;
  }

  /** Returns the variable that a value refers to, or `null` if the value isn't a single variable. */
  variableOf(value: unknown): JsonObject | null {
    const macro = Array.isArray(value) && value[0] === 'macro' ? this.#macros[Number(value[1])] : null;
    return isObject(macro) ? macro : null;
  }

  /** Returns a value as text, with a placeholder such as `{{Page URL}}` for each part known only at runtime. */
  shown(value: unknown, unknown?: Set<string>): string {
    return this.#spend(this.#write(value, { limit: MAX_TEXT, markup: false, unknown }, 0).slice(0, MAX_TEXT));
  }

  /**
   * Returns a custom HTML tag's markup. A value known only at runtime becomes a call to the container's `macro`
   * function, as in the published container. Inside a JavaScript string, such a value becomes an unresolved part.
   */
  markup(value: unknown): string {
    const text = this.#write(value, { limit: MAX_HTML, markup: true }, 0);
    if (text.length > MAX_HTML) this.truncated = true;
    return this.#spend(
      text.slice(0, MAX_HTML).replaceAll('type="text/gtmscript"', '').replaceAll(' data-gtmsrc=', ' src='),
    );
  }

  /** Returns a value's possible strings, if the container specifies them. */
  options(value: unknown, depth = 0): PossibleTexts {
    if (!this.#step() || depth > MAX_DEPTH) return UNKNOWN;
    if (isScalar(value)) return { texts: [String(value).slice(0, MAX_TEXT)], exact: true };
    if (!Array.isArray(value)) return UNKNOWN;
    if (value[0] === 'macro') return this.#macroOptions(Number(value[1]), depth);
    if (value[0] === 'escape') return this.options(value[1], depth + 1);
    if (value[0] !== 'template') return UNKNOWN;
    const parts = value.slice(1, 100).map(part => this.options(part, depth + 1));
    const text = parts
      .map(part => part.texts[0] ?? '')
      .join('')
      .slice(0, MAX_TEXT);
    return parts.every(part => part.exact) ? { texts: [text], exact: true } : UNKNOWN;
  }

  /** Returns the maps in a list, such as table rows, without resolving their values. */
  rows(value: unknown): ReadonlyMap<string, unknown>[] {
    if (!Array.isArray(value) || value[0] !== 'list') return [];
    return value.slice(1, 1_000).flatMap(row => {
      if (!Array.isArray(row) || row[0] !== 'map' || !this.#step()) return [];
      const map = new Map<string, unknown>();
      for (let i = 1; i + 1 < Math.min(row.length, 200); i += 2)
        if (isScalar(row[i])) map.set(String(row[i]), row[i + 1]);
      return [map];
    });
  }

  #macroOptions(index: number, depth: number): PossibleTexts {
    const known = this.#options.get(index);
    if (known) return known;
    const macro = this.#macros[index];
    if (!isObject(macro) || this.#open.has(index)) return UNKNOWN;
    this.#open.add(index);
    const found = this.#optionsOf(macro, depth);
    this.#open.delete(index);
    this.#options.set(index, found);
    return found;
  }

  #optionsOf(macro: JsonObject, depth: number): PossibleTexts {
    switch (own(macro, 'function')) {
      case '__c':
        return this.options(own(macro, 'vtp_value'), depth + 1);
      case '__cid':
        return this.#containerId === null ? UNKNOWN : { texts: [this.#containerId], exact: true };
      case '__smm':
      case '__remm': {
        const rows = this.rows(own(macro, 'vtp_map')).map(row => row.get('value'));
        const fallback = own(macro, 'vtp_setDefaultValue') === true ? [own(macro, 'vtp_defaultValue')] : [];
        const texts = [...rows, ...fallback].slice(0, 200).flatMap(value => this.options(value, depth + 1).texts);
        return { texts: [...new Set(texts)].slice(0, MAX_OPTIONS), exact: false };
      }
      default:
        return UNKNOWN;
    }
  }

  #write(value: unknown, writing: Writing, depth: number): string {
    if (isScalar(value)) return String(value);
    if (!Array.isArray(value) || depth > MAX_DEPTH || !this.#step()) return '';
    switch (value[0]) {
      case 'macro':
        return this.#writeMacro(Number(value[1]), writing, depth);
      case 'escape':
        return this.#writeEscaped(value, writing, depth);
      case 'tag':
        return `tag ${Number(value[1]) + 1}`;
      case 'template': {
        let text = '';
        for (let i = 1; i < value.length && text.length <= writing.limit; i++)
          text += this.#write(value[i], writing, depth + 1);
        return text;
      }
      case 'list':
      case 'map': {
        let text = '';
        for (let i = 1; i < value.length && text.length <= writing.limit; i++) {
          const separator = i === 1 ? '' : value[0] === 'map' && i % 2 === 0 ? ': ' : ', ';
          text += separator + this.#write(value[i], writing, depth + 1);
        }
        return text;
      }
      default:
        return '';
    }
  }

  #writeMacro(index: number, writing: Writing, depth: number): string {
    const { texts, exact } = this.#macroOptions(index, depth + 1);
    if (exact) return texts[0]!;
    if (writing.markup) return this.#call(index);
    const name = this.#nameOf(index);
    writing.unknown?.add(name);
    return `{{${name}}}`;
  }

  /** Escapes a variable in a custom HTML tag the way the published container does. */
  #writeEscaped(value: readonly unknown[], writing: Writing, depth: number): string {
    const inner = value[1];
    const { texts, exact } = this.options(inner, depth + 1);
    if (!writing.markup || !Array.isArray(inner) || inner[0] !== 'macro') return this.#write(inner, writing, depth + 1);
    const codes = value.slice(2);
    const isExpression = codes.includes(JS_VALUE);
    if (!exact && isExpression) return this.#call(Number(inner[1]));
    if (!exact) return codes.includes(JS_STRING) ? UNRESOLVED_IN_STRING : '';
    if (isExpression) return JSON.stringify(texts[0]!).replaceAll('<', '\\x3c');
    if (codes.includes(JS_STRING))
      return JSON.stringify(texts[0]!).slice(1, -1).replaceAll("'", "\\'").replaceAll('<', '\\x3c');
    return codes.includes(URI_COMPONENT) ? encodeText(texts[0]!) : texts[0]!;
  }

  /** Returns the call that a published container uses to read a variable in a custom HTML tag. */
  #call(index: number): string {
    return `google_tag_manager[${JSON.stringify(this.#containerId ?? 'GTM')}].macro(${Number.isSafeInteger(index) ? index : 0})`;
  }

  #nameOf(index: number): string {
    const macro = this.#macros[index];
    return isObject(macro) ? nameOfVariable(macro) : 'undefined variable';
  }

  #step(): boolean {
    if (++this.#steps <= MAX_STEPS) return true;
    this.truncated = true;
    return false;
  }

  #spend(text: string): string {
    this.#written += text.length;
    if (this.#written <= MAX_WRITTEN) return text;
    this.truncated = true;
    return '';
  }
}

/** Settings for writing a value as text. Writing stops shortly after `limit` characters. */
interface Writing {
  readonly limit: number;
  readonly markup: boolean;
  readonly unknown?: Set<string> | undefined;
}

const UNKNOWN: PossibleTexts = { texts: [], exact: false };

/** Escape sequence for the character that marks an unresolved part of a string. */
const UNRESOLVED_IN_STRING = `\\u${UNRESOLVED.charCodeAt(0).toString(16).padStart(4, '0')}`;

// Values of the `escape` argument for text inside a JavaScript string, a JavaScript value, and a URI component.
const JS_STRING = 7;
const JS_VALUE = 8;
const URI_COMPONENT = 12;

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

// Remove lone surrogates, because `encodeURIComponent` throws an error for them.
const encodeText = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''));

const URL_PARTS: Readonly<Record<string, string>> = {
  URL: 'Page URL',
  HOST: 'Page Hostname',
  PATH: 'Page Path',
  QUERY: 'URL query',
  FRAGMENT: 'URL fragment',
  PROTOCOL: 'URL protocol',
  PORT: 'URL port',
  EXTENSION: 'URL extension',
};

/** Display names for Tag Manager variable types. */
const VARIABLES: Readonly<Record<string, string>> = {
  __e: 'Event',
  __f: 'Referrer',
  __jsm: 'custom JavaScript',
  __smm: 'lookup table',
  __remm: 'regex table',
  __gas: 'Google Analytics settings',
  __gtcs: 'Google tag configuration settings',
  __gtes: 'Google tag event settings',
  __awec: 'user-provided data',
  __r: 'Random Number',
  __hid: 'HTML ID',
  __dbg: 'Debug Mode',
  __cid: 'Container ID',
  __ctv: 'Container Version',
  __d: 'DOM element',
  __vis: 'Element Visibility',
  __uv: 'undefined value',
};

/** Returns a display name for a variable. A published container doesn't include variable names. */
function nameOfVariable(macro: JsonObject): string {
  const code = String(own(macro, 'function') ?? '').slice(0, 60);
  const text = (key: string): string => String(own(macro, key) ?? '').slice(0, 80);
  if (code === '__v') return `data layer: ${text('vtp_name')}`;
  if (code === '__k') return `cookie: ${text('vtp_name')}`;
  if (code === '__j') return `JavaScript variable: ${text('vtp_name')}`;
  if (code === '__aev') return `auto-event: ${text('vtp_varType').toLowerCase().replaceAll('_', ' ')}`;
  if (code === '__u') {
    const part = text('vtp_component') || 'URL';
    return Object.hasOwn(URL_PARTS, part) ? URL_PARTS[part]! : 'Page URL';
  }
  if (code.startsWith('__cvt_')) return `template ${code.slice(2)}`;
  return Object.hasOwn(VARIABLES, code) ? VARIABLES[code]! : `variable ${code.replace(/^_+/, '')}`;
}
