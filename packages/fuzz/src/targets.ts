import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A target by its file. */
export interface TargetFile {
  /** Such as `hts-code`. */
  readonly name: string;
  readonly path: string;
}

/** Every target of the repository. */
export const TARGETS: readonly TargetFile[] = globSync('{packages/*,shopify-app}/src/**/*.fuzz.ts', { cwd: ROOT })
  .sort()
  .map(path => ({ name: basename(path, '.fuzz.ts'), path: join(ROOT, path) }));

const corpusFile = ({ path }: TargetFile) => path.replace(/\.ts$/, '.json');

/** The inputs that are kept beside a target. */
export function corpusOf(target: TargetFile): string[] {
  const file = corpusFile(target);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

/** Keeps inputs beside a target. Nothing but ASCII is in the file, so that a reviewer sees what is there. */
export function keepCorpus(target: TargetFile, corpus: readonly string[]): number {
  const text = JSON.stringify(corpus, null, 2).replace(
    /[^\n -~]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(corpusFile(target), `${text}\n`);
  return text.length;
}
