import { Collected, type SourceFile, type TextPool, type Unit, type UnitKind } from './unit.ts';

/** One line of a comment, without the comment marker. */
export interface CommentLine {
  readonly text: string;
  readonly offset: number;
}

/** Pattern for comments that contain instructions for tools instead of prose. */
const DIRECTIVE =
  /^\s*(biome-ignore|@ts-|eslint-|#?region|#?endregion|noqa|type:|pyright:|pragma|\/\s*<reference|!\/|go:|syntax=|nolint|vitest-|v8 ignore|@vitest|Stryker|knip|@__PURE__|webpackIgnore|@vite|shellcheck|yaml-language-server|\+build|Output:|Code generated)/;

/**
 * Joins the lines of a comment into paragraphs. A blank line, a list marker, or a tag such as `@param` starts a new
 * paragraph. Skips fenced code and examples.
 */
export function paragraphs(lines: readonly CommentLine[], source: SourceFile, kind: UnitKind, pool: TextPool): Unit[] {
  const units: Unit[] = [];
  let paragraph = new Collected();
  const flush = () => {
    const unit = paragraph.unit(source, kind, pool);
    if (unit) units.push(unit);
    paragraph = new Collected();
  };
  let inFence = false;
  let inExample = false;
  for (const { text, offset } of lines) {
    if (/^\s*```/.test(text)) {
      flush();
      inFence = !inFence;
      continue;
    }
    const tag = /^\s*(?:@(\w+)(\s+\{[^}]*\})?|:(?:param|returns?|raises|type|rtype)[^:]*:)\s*/.exec(text);
    const marker = /^\s*([-*•]|\d+\.)\s+/.exec(text);
    if (tag) inExample = /^(example|see|default|internal|type|typedef|satisfies)$/.test(tag[1] ?? '');
    if (tag || marker || text.trim() === '') flush();
    if (inFence || inExample || text.trim() === '' || DIRECTIVE.test(text)) continue;
    const skipped = (tag ?? marker)?.[0].length ?? 0;
    const name =
      tag?.[1] === 'param' ? (/^\[?[\w.]+(=[^\]]*)?\]?\s*(-\s+)?/.exec(text.slice(skipped))?.[0].length ?? 0) : 0;
    paragraph.add(text.slice(skipped + name), offset + skipped + name);
    paragraph.add(' ', offset + text.length);
  }
  flush();
  return units;
}

/**
 * Groups line comments: joins comments that are on consecutive lines, start in the same column, and don't follow code
 * on the same line.
 */
export function joinLineComments(
  comments: readonly (CommentLine & { readonly start: number })[],
  source: SourceFile,
): CommentLine[][] {
  const groups: CommentLine[][] = [];
  let last: { line: number; column: number; alone: boolean } | undefined;
  for (const comment of comments) {
    const { line, column } = source.position(comment.start);
    const alone = source.text.slice(comment.start - column + 1, comment.start).trim() === '';
    if (last?.alone && alone && line === last.line + 1 && column === last.column) groups.at(-1)!.push(comment);
    else groups.push([comment]);
    last = { line, column, alone };
  }
  return groups;
}

/** Splits the content of a block comment into lines without leading asterisks. */
export function blockLines(text: string, offset: number): CommentLine[] {
  let at = offset;
  return text.split('\n').map(line => {
    const margin = /^\s*\*?(?!\*) ?/.exec(line)![0].length;
    const result = { text: line.slice(margin), offset: at + margin };
    at += line.length + 1;
    return result;
  });
}
