import { blockLines, type CommentLine, joinLineComments, paragraphs } from './comments.ts';
import { messageParts } from './messages.ts';
import type { ScriptPools } from './script.ts';
import { Collected, type SourceFile, type Unit } from './unit.ts';

/** Patterns for comments and strings in a programming language. */
interface Language {
  /** Pattern with the groups `line` and `block` for comments, and `long`, `short`, and `single` for strings. */
  readonly token: RegExp;
  /** Whether a `long` string at the start of a line is a docstring. */
  readonly docstrings: boolean;
}

const LANGUAGES: Record<string, Language> = {
  '.py': {
    token:
      /#(?<line>[^\n]*)|(?<!\w)[rbfu]{0,2}(?:"""(?<long>[\s\S]*?)"""|"(?<short>(?:[^"\\\n]|\\.)*)"|'(?<single>(?:[^'\\\n]|\\.)*)')/gi,
    docstrings: true,
  },
  '.go': {
    token:
      /\/\/(?<line>[^\n]*)|\/\*(?<block>[\s\S]*?)\*\/|`(?<long>[^`]*)`|"(?<short>(?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)+'/g,
    docstrings: false,
  },
  '.java': {
    token: /\/\/(?<line>[^\n]*)|\/\*(?<block>[\s\S]*?)\*\/|"(?<short>(?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)+'/g,
    docstrings: false,
  },
};

/** Extracts comments, docstrings, and messages from a Python, Go, or Java file. */
export function extractLexed(source: SourceFile, extension: string, pools: ScriptPools): Unit[] {
  const { token, docstrings } = LANGUAGES[extension]!;
  const units: Unit[] = [];
  const lineComments: (CommentLine & { start: number })[] = [];
  for (const match of source.text.matchAll(token)) {
    const { line, block, long, short, single } = match.groups!;
    const start = match.index;
    const content = line ?? block ?? long ?? short ?? single ?? '';
    const offset = start + match[0].indexOf(content, line === undefined ? 1 : match[0].length - content.length);
    const startsLine = /(^|\n)[ \t]*$/.test(source.text.slice(Math.max(0, start - 80), start));
    if (line !== undefined) lineComments.push({ text: line, offset, start });
    else if (block !== undefined)
      units.push(...paragraphs(blockLines(block, offset), source, 'docstring', pools.comments));
    else if (docstrings && startsLine && long !== undefined)
      units.push(...paragraphs(blockLines(long, offset), source, 'docstring', pools.comments));
    else if (pools.strings) {
      const message = new Collected();
      message.add(content, offset);
      for (const part of messageParts(message)) {
        const unit = part.unit(source, 'message', pools.strings);
        if (unit) units.push(unit);
      }
    }
  }
  units.push(
    ...joinLineComments(lineComments, source).flatMap(group => paragraphs(group, source, 'comment', pools.comments)),
  );
  return units;
}
