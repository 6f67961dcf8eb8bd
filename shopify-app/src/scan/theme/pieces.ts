/** A part of a theme file that is markup, and where in the file it starts. */
export interface Piece {
  readonly text: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** Whether places in the text are places in the file, so that they can be counted on from the start. */
  readonly verbatim: boolean;
}

/** One that does not end goes on to the end of the file. */
const STRING = /"(?:[^"\\]|\\[\s\S])*(?:"|$)/g;

/**
 * The markup of a theme file: a Liquid file is one piece; in JSON (templates, sections' groups, the settings) it is each string
 * that holds a tag, as the merchant pasted it into a custom section.
 *
 * @example piecesOf('templates/index.json', '{"html":"<script>…</script>"}')[0].column // 9
 */
export function piecesOf(name: string, source: string): readonly Piece[] {
  if (!name.endsWith('.json')) return [{ text: source, line: 1, column: 1, verbatim: true }];
  const pieces: Piece[] = [];
  let line = 1;
  let lineStart = 0;
  let counted = 0;
  // Shopify writes a comment above the JSON.
  const json = source.replace(/^\s*\/\*[\s\S]*?\*\//, comment => comment.replace(/[^\r\n]/g, ' '));
  for (const { 0: string, index } of json.matchAll(STRING)) {
    const text = parse(string);
    if (!text.includes('<')) continue;
    for (let end = json.indexOf('\n', counted); end >= 0 && end < index; end = json.indexOf('\n', counted)) {
      line++;
      lineStart = end + 1;
      counted = end + 1;
    }
    pieces.push({ text, line, column: index - lineStart + 1, verbatim: false });
  }
  return pieces;
}

function parse(string: string): string {
  try {
    return String(JSON.parse(string));
  } catch {
    return '';
  }
}
