import type { Finding } from '@compliance/core/pixel';
import type { ScannedThemeFile } from '../theme/read-theme.ts';
import { storeFingerprint } from './fingerprint.ts';
import { locate } from './locate.ts';

/** Theme file, and a finding's position in that file. */
export interface FoundInFile {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the theme files that cause a page finding. Returns several files if the match is ambiguous. */
export type ThemeLocator = (finding: Finding) => readonly FoundInFile[];

/**
 * Creates a {@link ThemeLocator} for a theme's files. A file matches a page finding if the same rule reports the same
 * IDs in the file. If no file matches in this way, any file that contains the finding's snippet matches.
 *
 * @example createLocator(theme.files)(finding) // [{ name: 'snippets/meta.liquid', line: 12, column: 3 }]
 */
export function createLocator(files: readonly ScannedThemeFile[]): ThemeLocator {
  const byFingerprint = new Map<string, FoundInFile[]>();
  for (const { name, findings } of files) {
    for (const finding of findings) {
      const fingerprint = storeFingerprint(finding, null);
      const { line, column } = finding.where;
      byFingerprint.set(fingerprint, [...(byFingerprint.get(fingerprint) ?? []), { name, line, column }]);
    }
  }
  return finding => {
    // Code that Shopify adds to the page isn't in any theme file.
    if (finding.state === 'config' || finding.where.source === 'page') return [];
    const same = byFingerprint.get(storeFingerprint(finding, null));
    return same ?? files.flatMap(file => locateIn(file, finding.snippet));
  };
}

function locateIn({ name, segments }: ScannedThemeFile, snippet: string): FoundInFile[] {
  return segments.flatMap(({ text, line, column, verbatim }) => {
    const at = locate(text, snippet);
    if (at === null) return [];
    if (!verbatim) return [{ name, line, column }];
    const before = text.slice(0, at).split('\n');
    return [{ name, line: before.length, column: before.at(-1)!.length + 1 }];
  });
}
