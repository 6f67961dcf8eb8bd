import { type Finding, scanThemeFile, type ThemeFileText } from '@compliance/core/pixel';
import { type MarkupSegment, markupSegments } from './markup-segments.ts';

/** Result of scanning a theme file. */
export interface ScannedFile {
  /** The file's markup segments. */
  readonly segments: readonly MarkupSegment[];
  /**
   * Findings from all rules, including rules that need a whole page. Positions are relative to the file, not to a
   * segment.
   */
  readonly findings: readonly Finding[];
}

/** Maximum number of findings per file. A file with more findings was most likely designed to slow down scans. */
const MAX_FINDINGS = 500;

/**
 * Scans one theme file. The caller decides which rules apply, because a file is only part of a page. Runs in a pool
 * worker process, because the file is untrusted.
 *
 * @example scanFile({ name: 'layout/theme.liquid', source, host: 'shop.example', asOf: '2026-11-21' }).findings[0]?.where.line
 */
export function scanFile(file: ThemeFileText): ScannedFile {
  const segments = markupSegments(file.name, file.source);
  const findings = segments.flatMap(segment =>
    scanThemeFile({ ...file, source: segment.text }).map(finding => {
      const { line, column } = segment.verbatim ? finding.where : segment;
      return { ...finding, where: { ...finding.where, line, column } };
    }),
  );
  return { segments, findings: findings.slice(0, MAX_FINDINGS) };
}
