import type { Finding } from '../model/finding.ts';
import type { TagObservation } from '../model/observation.ts';
import { collect } from '../observations/collect.ts';
import { containsPersonalData } from '../scan/redact.ts';
import { liquidRanges } from '../theme-file/mask-liquid.ts';
import { scanThemeFile, type ThemeFileText, themeFileCapture } from '../theme-file/scan-theme-file.ts';
import { applyEdit, type FileEdit, toFileEdit } from './file-edit.ts';
import { FIX_RULES } from './fix-rules.ts';
import type { NoFixReason } from './no-fix-reason.ts';
import { ThemeCode } from './theme-code.ts';

/** Fix for a finding in a theme file. */
export interface ThemeFix {
  readonly edit: FileEdit;
  /**
   * Global variables that the edited file no longer defines. If code in other files uses these variables, that code
   * would stop working.
   */
  readonly removes: readonly string[];
}

/** Maximum length of a changed line and maximum total length of all changed lines, in characters. */
const MAX_LINE = 2_000;
const MAX_TEXT = 8_000;

/**
 * Derives the edits that fix the findings in a theme file. Returns an edit only if it's certain to work: the edit
 * doesn't change Liquid code, and a scan of the edited file doesn't report the finding, new findings, or changes to
 * other tags.
 *
 * The code that causes a page finding can be in several files. Pass such a finding only if exactly one theme file
 * contains it.
 *
 * @param file theme file that contains the findings. The text is untrusted.
 * @param findings findings from a scan of the file or of a page that includes the file
 * @returns one result for each finding: an edit to the original file, or the reason that no edit is available
 * @throws RangeError if `asOf` isn't a date in the form `YYYY-MM-DD`
 * @example proposeFixes({ name: 'snippets/meta.liquid', source, host: 'shop.example', asOf: '2026-11-21' }, findings)
 */
export function proposeFixes(
  file: ThemeFileText,
  findings: readonly Finding[],
): readonly (ThemeFix | { readonly reason: NoFixReason })[] {
  const code = new ThemeCode(file);
  const before = { findings: scanThemeFile(file), tags: tagsIn(file) };
  return findings.map(finding => {
    const fix = proposeFix(file, code, before, finding);
    return typeof fix === 'string' ? { reason: fix } : fix;
  });
}

function proposeFix(file: ThemeFileText, code: ThemeCode, before: FileScan, finding: Finding): ThemeFix | NoFixReason {
  const rule = FIX_RULES[finding.rule_id];
  if (['gtm', 'app', 'shopify_admin'].includes(finding.owner)) return 'outside_theme';
  if (typeof rule !== 'function') return rule ?? 'unclear';
  const result = rule(code, finding);
  if (typeof result === 'string') return result;
  const edit = toFileEdit(code.text, result.edits);
  if (!edit || edit.length === 0) return 'unclear';
  const lines = edit.flatMap(change => [...change.before, ...change.after]);
  if (lines.some(line => line.length > MAX_LINE) || lines.join('').length > MAX_TEXT) return 'too_long';
  if (lines.some(containsPersonalData)) return 'secret';
  const edited = { ...file, source: applyEdit(file.source, edit) };
  if (!hasSameLiquid(file.source, edited.source)) return 'liquid';
  const after = { findings: scanThemeFile(edited), tags: tagsIn(edited) };
  return reasonAgainst(before, after, finding) ?? { edit, removes: result.removes ?? [] };
}

/** Findings and tags in a file. */
interface FileScan {
  readonly findings: readonly Finding[];
  readonly tags: readonly string[];
}

const hasSameLiquid = (a: string, b: string): boolean => {
  const [before, after] = [a, b].map(source => liquidRanges(source).map(({ from, to }) => source.slice(from, to)));
  return JSON.stringify(before) === JSON.stringify(after);
};

/** Returns whether a finding matches an earlier finding but has only some of its IDs. */
const isPartOf = (one: Finding, all: Finding): boolean =>
  keyOf({ ...one, ids: all.ids }) === keyOf(all) && one.ids.length > 0 && one.ids.every(id => all.ids.includes(id));

/** Returns a key that doesn't depend on the finding's location. */
const keyOf = ({ rule_id, variant, ids, severity }: Finding): string =>
  JSON.stringify([rule_id, variant, ids, severity]);

/** Compares the scans before and after an edit. Returns null if the edit fixes the finding and has no side effects. */
function reasonAgainst(before: FileScan, after: FileScan, finding: Finding): NoFixReason | null {
  const isSame = (one: Finding) => keyOf({ ...one, severity: finding.severity }) === keyOf(finding);
  if (after.findings.some(isSame)) return 'unclear';
  const known = new Set(before.findings.map(keyOf));
  const isKnown = (one: Finding) =>
    known.has(keyOf(one)) || (one.rule_id !== finding.rule_id && before.findings.some(all => isPartOf(one, all)));
  if (!after.findings.every(isKnown)) return 'new_finding';
  const was = before.tags;
  const is = after.tags;
  // If the finding appears only in a scan of the whole page, accept the edit only if it deletes a tag.
  if (!before.findings.some(isSame) && was.length <= is.length) return 'unclear';
  if (CORRECTS.has(finding.rule_id)) return null;
  const isAllowed = (tag: string) => ADDS.get(finding.rule_id)?.test(tag) ?? false;
  if (is.some(tag => !was.includes(tag) && !isAllowed(tag))) return 'unclear';
  return !DELETES.has(finding.rule_id) && was.some(tag => !is.includes(tag)) ? 'unclear' : null;
}

/** Rules whose fix deletes a tag entirely, not just a duplicate. */
const DELETES = new Set([
  'ga4_app_duplicate',
  'ga_analytics_js_legacy',
  'ga_js_legacy',
  'ga_optimize_sunset',
  'ga_universal_id',
  'ga_urchin_legacy',
  'google_ads_legacy_tags',
  'meta_pixel_app_duplicate',
  'meta_pixel_legacy_call',
  'meta_pixel_legacy_library',
  'meta_pixel_legacy_noscript',
  'meta_pixel_theme_events_with_app',
]);

/** Rules whose fix adds code, with patterns for the added tags. */
const ADDS: ReadonlyMap<string, RegExp> = new Map([
  ['google_consent_default_missing', /^consent google default$/],
  ['gtm_noscript_problem', /^frame /],
  ['meta_pixel_missing_pageview', /^event meta track PageView$/],
]);

/** Rules whose fix changes a tag's ID, event, settings, or placement. */
const CORRECTS = new Set([
  'ad_pixel_misspelled_event',
  'ga4_misspelled_event',
  'ga_universal_id',
  'ga4_app_duplicate',
  'gtm_datalayer_overwritten',
  'meta_pixel_image_outside_noscript',
  'meta_pixel_invalid_id',
  'meta_pixel_nonstandard_event',
]);

/** Returns a location-independent key for each tag in a file. */
const tagsIn = (file: ThemeFileText): string[] =>
  collect(themeFileCapture(file), { asOf: file.asOf }).observations.flatMap(keyOfTag);

function keyOfTag(observation: TagObservation): string[] {
  switch (observation.kind) {
    case 'init':
      return [`init ${observation.vendor} ${observation.api} ${observation.id.value}`];
    case 'loader':
      return [`loader ${observation.vendor} ${observation.library} ${observation.id}`];
    case 'event':
      return [`event ${observation.vendor} ${observation.method} ${observation.name}`];
    case 'beacon':
      return [`beacon ${observation.vendor} ${observation.api} ${observation.placement}`];
    case 'consent':
      return [`consent ${observation.vendor} ${observation.command}`];
    case 'frame':
      return [`frame ${observation.id}`];
    default:
      return [];
  }
}
