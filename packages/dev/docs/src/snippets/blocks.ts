import type { Code } from 'mdast';
import type { MarkdownPage } from '../pages/pages.ts';

/** Programs that run code blocks, by block language. */
const LANGUAGES = { sh: 'sh', ts: 'js', js: 'js', python: 'python', go: 'go' } as const;

/** Name of a program that runs code blocks. */
export type Runner = (typeof LANGUAGES)[keyof typeof LANGUAGES];

/** A code block that is run, saved to a file, or skipped with a reason. */
export interface CodeBlock {
  line: number;
  runner: Runner;
  code: string;
  /**
   * Name of the file that the block is saved to, so that shell blocks on the same page can use the file. Specified as
   * `file="worker.js"` after the block's language.
   */
  file?: string;
  /** Reason for skipping the block. Specified as `no-run="needs a browser"` after the block's language. */
  noRun?: string;
}

/**
 * Returns a page's runnable code blocks, in order.
 *
 * @throws `Error` if an unknown marker follows the language
 * @example blocksOf(readMarkdownPage('README.md'))[0] // { line: 34, runner: 'sh', code: 'npx --yes …' }
 */
export function blocksOf(page: MarkdownPage): CodeBlock[] {
  return page.blocks.flatMap(block => {
    if (!Object.hasOwn(LANGUAGES, block.lang ?? '')) return [];
    return {
      line: block.position!.start.line,
      runner: LANGUAGES[block.lang as 'sh'],
      code: block.value,
      ...markOf(block, page),
    };
  });
}

function markOf({ meta, position }: Code, { path }: MarkdownPage): Pick<CodeBlock, 'file' | 'noRun'> {
  if (!meta) return {};
  const [, name, text] = /^(file|no-run)="([^"]+)"$/.exec(meta) ?? [];
  if (text === undefined) throw new Error(`${path}:${position!.start.line}: unknown marker ${meta}`);
  return name === 'file' ? { file: text } : { noRun: text };
}
