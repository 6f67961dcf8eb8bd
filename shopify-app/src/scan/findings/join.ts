import type { Finding, MessageTerm } from '@compliance/core/pixel';
import { placeOfFile, placeOfPage } from '../model/places.ts';
import type { FindingDetail, FindingOrigin } from '../model/types.ts';
import type { PageReading } from '../storefront/read-storefront-page.ts';
import { localRules } from '../theme/local-rules.ts';
import type { ThemeReading } from '../theme/read-theme.ts';
import type { PageDrift } from './drift.ts';
import { type ScriptFile, scriptOf, storeFingerprint } from './fingerprint.ts';
import { createLocator, type FoundInFile, type ThemeLocator } from './locate-in-theme.ts';

/** Store problem with all its locations. */
export interface StoreFinding {
  readonly fingerprint: string;
  readonly detail: FindingDetail;
  readonly places: readonly string[];
}

/** Maximum number of files listed per finding. */
const MAX_FILES = 20;

const SEVERITY = { error: 0, warn: 1, info: 2 } as const;
const CONFIDENCE = { certain: 0, likely: 1, possible: 2 } as const;
/** Returns a finding's rank. The lower the rank, the more the finding lowers the score. */
const weight = ({ severity, confidence, mitigated }: Finding): number =>
  SEVERITY[severity] * 6 + CONFIDENCE[confidence] * 2 + (mitigated ? 1 : 0);

/** Data about one problem, collected from all sources. */
interface PartialFinding {
  finding: Finding;
  readonly script: ScriptFile | null;
  readonly pages: Set<string>;
  readonly files: FoundInFile[];
  context: MessageTerm | null;
}

/**
 * Joins the findings from pages, theme files, and the baseline comparison, so that each problem is a single finding, no
 * matter how many locations it has. Locates each page finding in the theme files. If the scan read pages but found a
 * problem only in a theme file, the finding's confidence is only `possible`.
 *
 * @returns findings, sorted by fingerprint
 */
export function joinFindings(
  readings: readonly PageReading[],
  theme: ThemeReading,
  drifts: readonly PageDrift[],
): readonly StoreFinding[] {
  const all = new Map<string, PartialFinding>();
  const collect = (finding: Finding, script: ScriptFile | null, context: MessageTerm | null = null): PartialFinding => {
    const fingerprint = storeFingerprint(finding, script);
    const known = all.get(fingerprint);
    if (known) return known;
    const made = { finding, script, pages: new Set<string>(), files: [], context };
    all.set(fingerprint, made);
    return made;
  };

  for (const { coverage, scan } of readings) {
    for (const finding of scan?.findings ?? []) {
      const partial = collect(finding, scriptOf(finding, scan!.scanned.url));
      partial.pages.add(coverage.path!);
      if (weight(finding) < weight(partial.finding)) partial.finding = finding;
    }
  }
  for (const { path, finding, context } of drifts) collect(finding, null, context).pages.add(path);
  for (const { name, findings } of theme.files) {
    for (const finding of findings) {
      const { line, column } = finding.where;
      if (localRules.has(finding.rule_id)) collect(finding, null).files.push({ name, line, column });
    }
  }

  const pagesRead = readings.some(({ scan }) => scan !== null);
  const locate = createLocator(theme.files);
  return [...all]
    .map(([fingerprint, partial]) => ({
      fingerprint,
      detail: detailOf(partial, theme, locate, pagesRead),
      places: [
        ...[...partial.pages].map(placeOfPage),
        ...new Set(partial.files.map(({ name }) => placeOfFile(name))),
      ].sort(),
    }))
    .sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
}

function detailOf(
  partial: PartialFinding,
  theme: ThemeReading,
  locate: ThemeLocator,
  pagesRead: boolean,
): FindingDetail {
  const { finding, script, pages, context } = partial;
  const own = pages.size > 0 ? { finding } : { finding: withThemeConfidence(finding, pagesRead) };
  const shown = { ...own, pages: [...pages].sort(), context };
  const themeId = theme.coverage.theme?.id;
  if (script) {
    if (script.by === 'theme' && themeId !== undefined) {
      // The served copy is minified, so its line numbers differ from those in the source file.
      return { ...shown, files: [{ themeId, name: script.name, line: null, column: null }], origin: 'file' };
    }
    return { ...shown, files: [], origin: script.by === 'app' ? 'app' : originOutsideTheme(finding, theme) };
  }
  const found = partial.files.length > 0 ? partial.files : locate(finding);
  const files = found.slice(0, MAX_FILES).map(file => ({ themeId: themeId!, ...file }));
  if (files.length === 0) return { ...shown, files, origin: originOutsideTheme(finding, theme) };
  const one = new Set(files.map(({ name }) => name)).size === 1;
  // If no page shows the problem, every listed file contains it.
  return { ...shown, files, origin: one || pages.size === 0 ? 'file' : 'candidates' };
}

/**
 * Lowers the confidence of a finding that is only in a file, because the code might never reach shoppers. Findings
 * about the file itself are exempt.
 */
const withThemeConfidence = (finding: Finding, pagesRead: boolean): Finding =>
  pagesRead && finding.where.source !== 'theme files' ? { ...finding, confidence: 'possible' } : finding;

/** Returns the origin of a page finding that isn't in any theme file. */
function originOutsideTheme({ owner }: Finding, { coverage }: ThemeReading): FindingOrigin {
  switch (owner) {
    case 'gtm':
      return 'tag_manager';
    case 'theme':
      // If the whole theme was read and no file contains the page's code, an app embed added the code.
      return coverage.state === 'read' ? 'app' : 'unknown';
    default:
      return owner;
  }
}
