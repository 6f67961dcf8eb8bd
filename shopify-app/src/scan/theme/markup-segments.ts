/** Markup segment of a theme file and its position in the file. */
export interface MarkupSegment {
  readonly text: string;
  /** Start line of the segment. Lines and columns are numbered from 1. */
  readonly line: number;
  readonly column: number;
  /** Whether positions in the text map directly to positions in the file. */
  readonly verbatim: boolean;
}

/** Pattern for a JSON string. An unterminated string extends to the end of the file. */
const STRING = /"(?:[^"\\]|\\[\s\S])*(?:"|$)/g;

/**
 * Returns a theme file's markup segments. A Liquid file is one segment. In a JSON file, such as a template, a section
 * group, or the settings, each string that contains a tag is a segment. For example, code pasted into a custom section
 * is a segment.
 *
 * @example markupSegments('templates/index.json', '{"html":"<script>…</script>"}')[0].column // 9
 */
export function markupSegments(name: string, source: string): readonly MarkupSegment[] {
  if (!name.endsWith('.json')) return [{ text: source, line: 1, column: 1, verbatim: true }];
  const segments: MarkupSegment[] = [];
  let line = 1;
  let lineStart = 0;
  let counted = 0;
  // Shopify writes a comment above the JSON data in a theme file.
  const json = source.replace(/^\s*\/\*[\s\S]*?\*\//, comment => comment.replace(/[^\r\n]/g, ' '));
  for (const { 0: string, index } of json.matchAll(STRING)) {
    const text = parse(string);
    if (!text.includes('<')) continue;
    for (let end = json.indexOf('\n', counted); end >= 0 && end < index; end = json.indexOf('\n', counted)) {
      line++;
      lineStart = end + 1;
      counted = end + 1;
    }
    segments.push({ text, line, column: index - lineStart + 1, verbatim: false });
  }
  return segments;
}

function parse(string: string): string {
  try {
    return String(JSON.parse(string));
  } catch {
    return '';
  }
}
