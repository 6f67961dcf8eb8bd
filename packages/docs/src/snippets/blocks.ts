import type { Code } from 'mdast';
import type { Page } from '../pages/pages.ts';

/** The languages whose blocks are run. */
const LANGUAGES = { sh: 'sh', ts: 'js', js: 'js', python: 'python', go: 'go' } as const;

/** What runs a block. */
export type Runner = (typeof LANGUAGES)[keyof typeof LANGUAGES];

/** A block of a page that is run, written to a file, or left alone with a reason. */
export interface Block {
  line: number;
  runner: Runner;
  code: string;
  /** The file that it is: a shell block beside it uses it. Written as `file="worker.js"` after the language. */
  file?: string;
  /** Why nothing runs it. Written as `no-run="needs a browser"` after the language. */
  noRun?: string;
}

/**
 * The blocks of a page in a language that can be run, in order.
 *
 * @throws Error when something stands after the language that is not known
 * @example blocksOf(readPage('README.md'))[0] // { line: 34, runner: 'sh', code: 'npx --yes …' }
 */
export function blocksOf(page: Page): Block[] {
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

function markOf({ meta, position }: Code, { path }: Page): Pick<Block, 'file' | 'noRun'> {
  if (!meta) return {};
  const [, name, text] = /^(file|no-run)="([^"]+)"$/.exec(meta) ?? [];
  if (text === undefined) throw new Error(`${path}:${position!.start.line}: what is ${meta}?`);
  return name === 'file' ? { file: text } : { noRun: text };
}
