import type { Collected } from './unit.ts';

/** Pattern for JavaScript, CSS, Python, and PDF statements, and for query strings. */
const CODE =
  /^import \w|^%PDF|\bbeginbfchar\b|\bdefineresource\b|=>|\(\)|\);|[;{]\s*$|^\s*[.#@][\w-]+\s*[{:]|\bfunction\b.*[({]|\b(var|let|const) \w+ ?=|[a-z]\(['"`]|===|&&|\|\||^[\w-]+: [^a-z]*;|^[?&]\w+=|^\s*[\w$.]+\(/;
/**
 * Pattern for one line of a code sample, such as a JSON property, an assignment, or a shell option. The pattern is
 * applied after placeholders are removed.
 */
const CODE_LINE =
  /^\s*"[\w$-]+":\s|^\s*[a-z]\w*: \[?['"]|^\s*\w+: \w+(?:\[\w+\])? = |\s=\s\w+\(|^\s*(?:return|await|def|async def|func|type|class|export) .*[=([{]|^\s*from [\w.]+ import |^\s*-\w '|^\s*var \w+ \w+[.$]|\s:=\s|\brg\b.*\bQ\b|\bf Q\b/;
/**
 * Pattern for a brace-delimited block in CSS, GraphQL, or code. The pattern is applied after code spans, tags, and
 * placeholders are removed.
 */
const BLOCK = /\{\s|\s\}/;
/** Pattern for the first line of a Go or Python program. */
const PROGRAM = /^\s*(?:package \w+|import \w+)$/m;

/** Patterns for the comments in a code sample, for comment markers, and for a command before a `#` comment. */
const SAMPLE_COMMENT = /^[ \t]*\/\/ .*(?:\n[ \t]*\/\/ .*)*|\/\*\*[\s\S]*?\*\/|^[ \t]*"""[\s\S]*?(?:"""|(?![\s\S]))/gm;
const COMMENT_MARK = /^[ \t]*(?:\/\/|\/?\*+(?!\/)) ?|\*\/|"""/gm;
const COMMAND = /^\s*(?:pnpm|npm|npx|node) [^#\n]* # /g;

/** Pattern for SQL statements, and for parts of a statement that a query builder accepts. */
const SQL =
  /^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|BEGIN|COMMIT|ROLLBACK|PRAGMA|ATTACH|DETACH|FROM|WHERE|AND|OR|ORDER BY|GROUP BY|VALUES|SET|ON CONFLICT|LEFT JOIN|JOIN|LIMIT|RETURNING|UNION|VACUUM|GRANT|REVOKE|LISTEN|NOTIFY|LOCK|TRUNCATE|EXPLAIN)\b|^\s*(?:\$\$|create (?:table|trigger|index|view)\b|exists \(select\b|before (?:insert|update|delete|truncate)\b)|^\s*\w+[._][\w.]+ as \w+\s*$|\bis (?:not )?null\s*$/;
const GRAPHQL = /^\s*(query|mutation|fragment|subscription|#graphql)\b[^.]*[{(]/;
const HEADER =
  /^(text|application|image|font|multipart)\/|^[\w-]+=[^ ]*;|(^|; )\w+-src\b|\b(frame-ancestors|base-uri|form-action) '|^(GET|HEAD|POST|PUT|DELETE|PATCH) \/|^Authorization: /;

/** Returns whether a string literal is human-readable text: at least two words that aren't code, SQL, or markup. */
function isMessage(text: string): boolean {
  if (!/\s/.test(text.trim())) return false;
  if (CODE.test(text) || SQL.test(text) || GRAPHQL.test(text) || HEADER.test(text)) return false;
  const bare = text.replace(/\$\{[^}]*\}|\{\{[^}]*\}\}|`[^`]*`|<[^>]*>/g, ' ').replace(/https?:\/\/\S+/g, ' ');
  if (CODE_LINE.test(text.replace(/\$\{[^}]*\}/g, '')) || BLOCK.test(bare)) return false;
  const tokens = bare.split(/\s+/).filter(token => /[\p{L}\p{N}]/u.test(token));
  const words = tokens.filter(token => /^[("'“‘[]*\p{L}[\p{L}’'/-]*[)"'”’\].,;:!?…]*$/u.test(token));
  // A list of class names, identifiers, or numbers can also contain words, but most tokens in prose are words.
  return words.length >= 2 && words.length * 2 > tokens.length && !words.every(word => /^[\p{Lu}\d_]+$/u.test(word));
}

/** Pattern for text that contains markup. A sentence that only mentions an element or a placeholder doesn't match. */
const MARKUP = /<\/[a-z][^>]*>|<[a-z][\w-]* [\w-]+=|^\s*<[a-z!]/i;
/**
 * Pattern for the markup between two text segments: a script or style element, a tag that isn't inline, or a closing
 * tag directly followed by an opening tag.
 */
const BETWEEN_TEXTS =
  /<(?:script|style)\b[\s\S]*?<\/(?:script|style)>|<\/\w+><[a-z][^>]*>|<\/?(?!(?:a|b|i|em|strong|code|span|abbr|small)\b)[a-z!][^>]*>/gi;

/** Splits prose into paragraphs, markup into the text segments between tags, and a code sample into its comments. */
export function messageParts(message: Collected): Collected[] {
  if (PROGRAM.test(message.text)) return [];
  return blocksOf(message).filter(({ text }) => isMessage(text));
}

function blocksOf(message: Collected): Collected[] {
  const comments = [...message.text.matchAll(SAMPLE_COMMENT)];
  if (comments.length > 0)
    return comments
      .map(({ 0: comment, index }) => message.slice(index, index + comment.length).without(COMMENT_MARK))
      .flatMap(paragraphsOf);
  const outsideSpans = (text: string) => text.replace(/`[^`\n]*`/g, span => '_'.repeat(span.length));
  if (MARKUP.test(outsideSpans(message.text)))
    return message.split(BETWEEN_TEXTS, outsideSpans).map(block => block.without(/<\/?[a-z][^>]*>/gi, outsideSpans));
  return paragraphsOf(message).map(block => block.without(COMMAND));
}

/**
 * Splits text into paragraphs, list items, and indented rows. A line with deeper indentation continues the previous
 * item or row.
 */
function paragraphsOf(message: Collected): Collected[] {
  const starts: number[] = [];
  let block: { indent: number; hasHangingLines: boolean } | undefined;
  for (const { 0: line, index } of message.text.matchAll(/^.*$/gm)) {
    const indent = line.search(/\S/);
    if (indent < 0) {
      block = undefined;
      continue;
    }
    const isItem = /^\s*[-*] /.test(line);
    const continues =
      block && !isItem && (indent > block.indent ? block.hasHangingLines : indent === 0 && block.indent === 0);
    if (continues) continue;
    block = { indent, hasHangingLines: isItem || indent > 0 };
    starts.push(index);
  }
  return starts.map((start, index) => message.slice(start, starts[index + 1] ?? message.text.length));
}
