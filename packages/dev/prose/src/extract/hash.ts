import { joinLineComments, paragraphs } from './comments.ts';
import type { SourceFile, TextPool, Unit } from './unit.ts';

/** Extracts the `#` comments from a YAML, TOML, or shell file, a `Dockerfile`, or an ignore file. */
export function extractHashComments(source: SourceFile, pool: TextPool): Unit[] {
  const comments = [...source.text.matchAll(/^((?:[^#"'\n]|"[^"\n]*"|'[^'\n]*'|(?<=\S)#)*?)(?<=^|\s)#(.*)$/gm)].map(
    ({ 1: code, 2: text, index }) => {
      const start = index + code!.length;
      return { text: text!, offset: start + 1, start };
    },
  );
  return joinLineComments(comments, source).flatMap(group => paragraphs(group, source, 'comment', pool));
}
