import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Repository root. */
export const REPOSITORY_ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Fuzz target and the file that defines it. */
export interface TargetFile {
  /** Target name, such as `hts-code`. */
  readonly name: string;
  readonly path: string;
}

/** All fuzz targets in the repository. */
export const TARGETS: readonly TargetFile[] = globSync('{packages/*,shopify-app}/src/**/*.fuzz.ts', {
  cwd: REPOSITORY_ROOT,
})
  .sort()
  .map(path => ({ name: basename(path, '.fuzz.ts'), path: join(REPOSITORY_ROOT, path) }));

const corpusFile = ({ path }: TargetFile) => path.replace(/\.ts$/, '.json');

/** Returns the inputs saved for a target. */
export function corpusOf(target: TargetFile): string[] {
  const file = corpusFile(target);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

/** Saves a target's inputs and returns the file size. The file is ASCII-only, so reviewers can see every character. */
export function keepCorpus(target: TargetFile, corpus: readonly string[]): number {
  const text = JSON.stringify(corpus, null, 2).replace(
    /[^\n -~]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(corpusFile(target), `${text}\n`);
  return text.length;
}
