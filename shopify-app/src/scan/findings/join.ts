import type { Finding } from '@compliance/core/pixel';
import { placeOfFile, placeOfPage } from '../places.ts';
import type { PageReading } from '../storefront/read-page.ts';
import { localRules } from '../theme/local-rules.ts';
import type { ThemeReading } from '../theme/read-theme.ts';
import type { FindingDetail, FindingOrigin } from '../types.ts';
import type { PageDrift } from './drift.ts';
import { createLocator, type FoundInFile, type ThemeLocator } from './locate-in-theme.ts';
import { type ScriptFile, scriptOf, storeFingerprint } from './same.ts';

/** One fault of a store, with all places that it was seen in. */
export interface StoreFinding {
  readonly fingerprint: string;
  readonly detail: FindingDetail;
  readonly places: readonly string[];
}

/** Files that are named for one finding. */
const MOST_FILES = 20;

const SEVERITY = { error: 0, warn: 1, info: 2 } as const;
const CONFIDENCE = { certain: 0, likely: 1, possible: 2 } as const;
/** The less, the more the score takes off for a finding. */
const weight = ({ severity, confidence, mitigated }: Finding): number =>
  SEVERITY[severity] * 6 + CONFIDENCE[confidence] * 2 + (mitigated ? 1 : 0);

/** What is known of one fault while the parts are put together. */
interface Gathered {
  finding: Finding;
  readonly script: ScriptFile | null;
  readonly pages: Set<string>;
  readonly files: FoundInFile[];
  context: string | null;
}

/**
 * Puts together what pages, files of the theme and the comparison with the baseline say: one fault is one finding, wherever it
 * was seen. A finding of a page is looked up in the theme's files; one that only a file holds says so, and is no more than
 * possible when pages were read and none showed it.
 *
 * @returns the findings in the order of their fingerprints, the same for the same readings
 */
export function joinFindings(
  readings: readonly PageReading[],
  theme: ThemeReading,
  drifts: readonly PageDrift[],
): readonly StoreFinding[] {
  const all = new Map<string, Gathered>();
  const gather = (finding: Finding, script: ScriptFile | null, context: string | null = null): Gathered => {
    const fingerprint = storeFingerprint(finding, script);
    const known = all.get(fingerprint);
    if (known) return known;
    const made = { finding, script, pages: new Set<string>(), files: [], context };
    all.set(fingerprint, made);
    return made;
  };

  for (const { coverage, scan } of readings) {
    for (const finding of scan?.findings ?? []) {
      const gathered = gather(finding, scriptOf(finding, scan!.scanned.url));
      gathered.pages.add(coverage.path!);
      if (weight(finding) < weight(gathered.finding)) gathered.finding = finding;
    }
  }
  for (const { path, finding, context } of drifts) gather(finding, null, context).pages.add(path);
  for (const { name, findings } of theme.files) {
    for (const finding of findings) {
      const { line, column } = finding.where;
      if (localRules.has(finding.rule_id)) gather(finding, null).files.push({ name, line, column });
    }
  }

  const pagesRead = readings.some(({ scan }) => scan !== null);
  const locate = createLocator(theme.files);
  return [...all]
    .map(([fingerprint, gathered]) => ({
      fingerprint,
      detail: detailOf(gathered, theme, locate, pagesRead),
      places: [
        ...[...gathered.pages].map(placeOfPage),
        ...new Set(gathered.files.map(({ name }) => placeOfFile(name))),
      ].sort(),
    }))
    .sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
}

function detailOf(gathered: Gathered, theme: ThemeReading, locate: ThemeLocator, pagesRead: boolean): FindingDetail {
  const { finding, script, pages, context } = gathered;
  const own = pages.size > 0 ? { finding } : { finding: onlyInTheme(finding, pagesRead) };
  const shown = { ...own, pages: [...pages].sort(), context };
  const themeId = theme.coverage.theme?.id;
  if (script) {
    if (script.by === 'theme' && themeId !== undefined) {
      // What is served is the file made smaller, so its lines are others.
      return { ...shown, files: [{ themeId, name: script.name, line: null, column: null }], origin: 'file' };
    }
    return { ...shown, files: [], origin: script.by === 'app' ? 'app' : originOutside(finding, theme) };
  }
  const found = gathered.files.length > 0 ? gathered.files : locate(finding);
  const files = found.slice(0, MOST_FILES).map(file => ({ themeId: themeId!, ...file }));
  if (files.length === 0) return { ...shown, files, origin: originOutside(finding, theme) };
  const one = new Set(files.map(({ name }) => name)).size === 1;
  // In the theme alone, each file holds it.
  return { ...shown, files, origin: one || pages.size === 0 ? 'file' : 'candidates' };
}

/** What stands in a file need not reach a shopper, but for what is wrong with the file as such. */
const onlyInTheme = (finding: Finding, pagesRead: boolean): Finding =>
  pagesRead && finding.where.source !== 'theme files' ? { ...finding, confidence: 'possible' } : finding;

/** Where a finding of a page comes from that is in no file of the theme. */
function originOutside({ owner }: Finding, { coverage }: ThemeReading): FindingOrigin {
  switch (owner) {
    case 'gtm':
      return 'tag_manager';
    case 'theme':
      // Code that is on the page and in no file was put there by an app's embed.
      return coverage.state === 'read' ? 'app' : 'unknown';
    default:
      return owner;
  }
}
