import type { Finding } from '@compliance/core/pixel';
import type { ReadFile } from '../theme/read-theme.ts';
import { locate } from './locate.ts';
import { storeFingerprint } from './same.ts';

/** A file of the theme that holds a finding, and where in it. */
export interface FoundInFile {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the files of the theme that a finding of a page comes from; several when nothing tells which. */
export type ThemeLocator = (finding: Finding) => readonly FoundInFile[];

/**
 * Makes a {@link ThemeLocator} of the files of a theme. A file holds a finding where the same rule says the same of the same
 * ids; where no file does, those that hold the text that the page shows.
 *
 * @example createLocator(theme.files)(finding) // [{ name: 'snippets/meta.liquid', line: 12, column: 3 }]
 */
export function createLocator(files: readonly ReadFile[]): ThemeLocator {
  const byFingerprint = new Map<string, FoundInFile[]>();
  for (const { name, findings } of files) {
    for (const finding of findings) {
      const fingerprint = storeFingerprint(finding, null);
      const { line, column } = finding.where;
      byFingerprint.set(fingerprint, [...(byFingerprint.get(fingerprint) ?? []), { name, line, column }]);
    }
  }
  return finding => {
    // What the platform writes into the page is in no file.
    if (finding.state === 'config' || finding.where.source === 'page') return [];
    const same = byFingerprint.get(storeFingerprint(finding, null));
    return same ?? files.flatMap(file => locateIn(file, finding.snippet));
  };
}

function locateIn({ name, pieces }: ReadFile, snippet: string): FoundInFile[] {
  return pieces.flatMap(({ text, line, column, verbatim }) => {
    const at = locate(text, snippet);
    if (at === null) return [];
    if (!verbatim) return [{ name, line, column }];
    const before = text.slice(0, at).split('\n');
    return [{ name, line: before.length, column: before.at(-1)!.length + 1 }];
  });
}
