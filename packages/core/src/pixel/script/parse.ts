import { type ESTree, parseModule, parseScript } from 'meriyah';

/**
 * Result of parsing a script. A `repaired` script parses only after repairs, and an `unreadable` script doesn't parse
 * at all.
 */
export interface ParsedScript {
  readonly program: ESTree.Program | null;
  readonly outcome: 'script' | 'module' | 'repaired' | 'unreadable';
}

const OPTIONS = { next: true, webcompat: true, ranges: true } as const;

/**
 * Tries to parse JavaScript as a script, as a module, and then with repairs for damage found in real pages. The parser
 * repairs CDATA markers, values removed by a sanitizer (`"shopId":,`), operators written as HTML entities, and template
 * tags that the server didn't replace. Repairs keep all offsets. A script that still doesn't parse is unreadable and is
 * skipped.
 *
 * @example parseJavaScript('var a = {id:,b:1}').outcome // 'repaired'
 */
export function parseJavaScript(source: string, kind: 'page' | 'handler' = 'page'): ParsedScript {
  const options = { ...OPTIONS, globalReturn: kind === 'handler' };
  try {
    return { program: parseScript(source, options), outcome: 'script' };
  } catch {
    // Try the next syntax.
  }
  try {
    return { program: parseModule(source, OPTIONS), outcome: 'module' };
  } catch {
    // Try the next syntax.
  }
  const repaired = repair(source);
  if (repaired === source) return { program: null, outcome: 'unreadable' };
  try {
    return { program: parseScript(repaired, options), outcome: 'repaired' };
  } catch {
    return { program: null, outcome: 'unreadable' };
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
  // Keep tags inside quotation marks, so that the scan still recognizes a placeholder ID.
  text = replaceTags(text, '{{', '}}', (found, before) =>
    before === '"' || before === "'" || before === '`' ? found : `"${found.slice(1, -1).replace(/["\\\n]/g, ' ')}"`,
  );
  return blankMissingValues(text);
}

/** If a `key:` has no value, replaces it with spaces. */
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
