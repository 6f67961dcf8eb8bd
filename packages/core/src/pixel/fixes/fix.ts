import type { Finding } from '../model/finding.ts';
import type { TextEdit } from './file-edit.ts';
import type { NoFixReason } from './no-fix-reason.ts';
import type { ThemeCode } from './theme-code.ts';

/** Character replacements in a file, and the global variables that the edited file no longer defines. */
export interface CodeEdit {
  readonly edits: readonly TextEdit[];
  readonly removes?: readonly string[];
}

/** Derives the edit that fixes a finding. The caller checks the result. */
export type Fix = (code: ThemeCode, finding: Finding) => CodeEdit | NoFixReason;
