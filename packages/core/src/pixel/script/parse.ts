import { type ESTree, parseModule, parseScript } from 'meriyah';

/** A syntax error that prevents a browser from running a script. */
interface SyntaxProblem {
  /** Position of the first error in the script. */
  readonly offset: number;
  /**
   * Whether the script is wrapped in a bare CDATA section. Programs that save pages as XML add such sections, so the
   * script might be valid on the original page.
   */
  readonly cdata: boolean;
}

/**
 * Result of parsing a script. A `repaired` script parses only after repairs, and an `unreadable` script doesn't parse
 * at all.
 */
export interface ParsedScript {
  readonly program: ESTree.Program | null;
  readonly outcome: 'script' | 'module' | 'repaired' | 'unreadable';
  /**
   * The syntax error that prevents browsers from running the script. `null` if browsers run the script. Also `null` if
   * the script exceeds the parser's nesting limit, because exceeding the limit doesn't make a script invalid.
   */
  readonly problem: SyntaxProblem | null;
}

const OPTIONS = { next: true, webcompat: true, ranges: true } as const;

/** A script element's code, a module, code that might be either, or the code in an event handler attribute. */
export type ScriptKind = 'script' | 'module' | 'either' | 'handler';

/**
 * Parses JavaScript as a browser does. If that fails, repairs common damage and parses the result. The
 * repairs cover CDATA markers, values removed by a sanitizer (`"shopId":,`), operators written as HTML entities, and
 * template tags that the server didn't replace. Repairs don't change any offsets. A browser runs only code that parses
 * without repairs, so a repaired script shows what its author intended, not what runs.
 *
 * @example parseJavaScript('var a = {id:,b:1}', 'script') // { outcome: 'repaired', problem: { offset: 12, … }, … }
 */
export function parseJavaScript(source: string, kind: ScriptKind): ParsedScript {
  const options = { ...OPTIONS, globalReturn: kind === 'handler' };
  const asScript = () => parseScript(source, options);
  const asModule = () => parseModule(source, OPTIONS);
  const isModule = kind === 'module';
  const first = attempt(isModule ? asModule : asScript);
  if (!('error' in first)) return { ...first, outcome: isModule ? 'module' : 'script', problem: null };
  const { error } = first;
  const offset = error instanceof SyntaxError && 'start' in error ? Number(error.start) : null;
  const problem = offset === null ? null : { offset, cdata: /^\s*<!\[CDATA\[/.test(source) };
  const second = attempt(isModule ? asScript : asModule);
  if (!('error' in second))
    return { ...second, outcome: isModule ? 'script' : 'module', problem: kind === 'either' ? null : problem };
  const repaired = repair(source);
  const third = repaired === source ? first : attempt(() => parseScript(repaired, options));
  return 'error' in third
    ? { program: null, outcome: 'unreadable', problem }
    : { ...third, outcome: 'repaired', problem };
}

function attempt(parse: () => ESTree.Program): { readonly program: ESTree.Program } | { readonly error: unknown } {
  try {
    return { program: parse() };
  } catch (error) {
    return { error };
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function repair(source: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ');
  let text = source.replaceAll('<![CDATA[', blank).replaceAll(']]>', blank);
  if (text.includes('&')) {
    text = text
      .replace(/& ?amp; ?& ?amp;/g, found => '&&'.padEnd(found.length))
      .replace(/& ?(lt|gt); ?=/g, (found, name: string) => `${ENTITIES[name]}=`.padEnd(found.length))
      .replace(/& ?(lt|gt|amp|quot|apos|#\d{1,5});/g, (found, name: string) => {
        const character = name[0] === '#' ? String.fromCharCode(Number(name.slice(1))) : ENTITIES[name]!;
        return character.padEnd(found.length);
      });
  }
  text = text.replace(/=[^\S\n]+(?=;)/g, found => '=0'.padEnd(found.length));
  text = replaceTags(text, '{%', '%}', blank);
  text = replaceTags(text, '<?', '?>', found => '0'.padEnd(found.length));
  // Keep template tags inside quotation marks, so that the scan still recognizes a placeholder ID.
  text = replaceTags(text, '{{', '}}', (found, before) =>
    before === '"' || before === "'" || before === '`' ? found : `"${found.slice(1, -1).replace(/["\\\n]/g, ' ')}"`,
  );
  return blankMissingValues(text);
}

/** Blanks out each `key:` that doesn't have a value, without changing any offsets. */
function blankMissingValues(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const match of text.matchAll(/:[^\S\n]*(?=[,}\]])/g)) {
    const from = keyStart(text, match.index, done);
    if (from === null) continue;
    const end = match.index + match[0].length;
    // Also remove a comma that follows the missing value. A trailing comma before a closing bracket is valid
    // JavaScript.
    const to = text[end] === ',' ? end + 1 : end;
    parts.push(text.slice(done, from), ' '.repeat(to - from));
    done = to;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** Returns the start of the key before `colon`. Returns `null` if there isn't a key, as in `a ? b : , c`. */
function keyStart(text: string, colon: number, floor: number): number | null {
  let end = colon;
  while (end > floor && text[end - 1] === ' ') end--;
  const quote = text[end - 1];
  if (quote === '"' || quote === "'") {
    const low = Math.max(floor, end - 200);
    const open = text.slice(low, end - 1).lastIndexOf(quote);
    return open < 0 ? null : low + open;
  }
  let from = end;
  while (from > floor && end - from < 200 && /[\w$]/.test(text[from - 1]!)) from--;
  return from === end ? null : from;
}

function replaceTags(text: string, open: string, close: string, by: (found: string, before: string) => string): string {
  let at = text.indexOf(open);
  if (at < 0) return text;
  const parts: string[] = [];
  let done = 0;
  while (at >= 0) {
    const end = text.indexOf(close, at + open.length);
    if (end < 0) break;
    parts.push(text.slice(done, at), by(text.slice(at, end + close.length), text[at - 1] ?? ''));
    done = end + close.length;
    at = text.indexOf(open, done);
  }
  parts.push(text.slice(done));
  return parts.join('');
}
