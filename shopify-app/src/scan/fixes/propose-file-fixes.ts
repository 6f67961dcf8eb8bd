import {
  applyEdit,
  containsPersonalData,
  type DiffHunk,
  diffOf,
  type Finding,
  proposeFixes,
  type ThemeFileText,
} from '@compliance/core/pixel';
import type { FileFix, NoFix } from '../model/types.ts';

/**
 * Findings in one theme file. The object contains only serializable data, because the pool sends the object to a worker
 * process.
 */
export interface FileWithFindings {
  readonly file: ThemeFileText;
  readonly findings: readonly Finding[];
}

/** Fix for one finding, without the file's name, or the reason that the finding has no fix. */
export type ProposedFix = NoFix | Omit<FileFix, 'themeId' | 'name'>;

/** Maximum length, in characters, of a corrected file that's stored with its finding. */
const MAX_CORRECTED = 6_000;

/**
 * Derives the fixes for the findings in one theme file. Runs in a pool worker process, because the file is untrusted.
 *
 * @returns one result for each finding
 * @example proposeFileFixes({ file: { name: 'snippets/a.liquid', source, host: 'shop.example', asOf: '2026-11-21' }, findings })
 */
export function proposeFileFixes({ file, findings }: FileWithFindings): readonly ProposedFix[] {
  // Databases don't accept NUL characters or lone surrogates, and removing them would change the lines.
  if (file.source.includes('\0') || !file.source.isWellFormed()) return findings.map(() => ({ reason: 'unclear' }));
  return proposeFixes(file, findings).map(proposed => {
    if ('reason' in proposed) return proposed;
    const { edit, removes } = proposed;
    const hunks = diffOf(file.source, edit);
    const corrected = applyEdit(file.source, edit);
    return {
      // Omit this variable, because it contains only the name of the `ga` function and no other code uses it.
      removes: removes.filter(name => name !== 'GoogleAnalyticsObject'),
      hunks,
      added: hunks.flatMap(addedIn),
      corrected: corrected.length <= MAX_CORRECTED && !containsPersonalData(corrected) ? corrected : null,
    };
  });
}

/** Returns the blocks of consecutive new lines in a hunk. */
function addedIn(hunk: DiffHunk): FileFix['added'] {
  const blocks: { readonly line: number; text: string }[] = [];
  for (const [i, { kind, text, after }] of hunk.entries()) {
    if (kind !== 'added') continue;
    if (hunk[i - 1]?.kind === 'added') blocks.at(-1)!.text += `\n${text}`;
    else blocks.push({ line: after!, text });
  }
  return blocks;
}
