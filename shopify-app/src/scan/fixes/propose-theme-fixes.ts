import type { Finding } from '@compliance/core/pixel';
import { type JobRunner, PoolError, siblingModule } from '@compliance/crawler/pool';
import type { ObservedFinding } from '@compliance/store/shop';
import type { FileFix, FindingDetail, NoFix } from '../model/types.ts';
import type { ScannedThemeFile, ThemeReading } from '../theme/read-theme.ts';
import type { ProposedFix, proposeFileFixes } from './propose-file-fixes.ts';

/** Options for proposing fixes. */
export interface ThemeFixOptions {
  readonly jobs: JobRunner;
  /** Shop's primary host. */
  readonly host: string;
  /** Scan date, YYYY-MM-DD. */
  readonly asOf: string;
}

const fixModule = siblingModule(import.meta.url, 'propose-file-fixes');

/** Number of findings per pool job. Each job scans the file again for each finding. */
const FINDINGS_PER_JOB = 10;

/**
 * Maximum number of findings per scan that the app tries to fix. A store with more findings was most likely designed to
 * slow down scans.
 */
const MAX_FIXES = 200;

/**
 * Derives the fixes for a scan's findings in theme files.
 *
 * @returns fix for each finding in the theme, or the reason that the finding has no fix, keyed by fingerprint
 * @throws PoolError `busy` if the pool is full
 */
export async function proposeThemeFixes(
  findings: readonly ObservedFinding[],
  theme: ThemeReading,
  options: ThemeFixOptions,
): Promise<ReadonlyMap<string, FileFix | NoFix>> {
  const fixes = new Map<string, FileFix | NoFix>();
  const byFile = new Map<ScannedThemeFile, { readonly fingerprint: string; readonly finding: Finding }[]>();
  for (const { fingerprint, detail } of findings) {
    const { finding, files } = detail as FindingDetail;
    const [file] = files;
    if (!file || fixes.has(fingerprint)) continue;
    const scanned = theme.files.find(({ name }) => name === file.name);
    if (new Set(files.map(({ name }) => name)).size > 1) fixes.set(fingerprint, { reason: 'several_files' });
    else if (!scanned) fixes.set(fingerprint, { reason: 'asset' });
    else if (!scanned.name.endsWith('.liquid')) fixes.set(fingerprint, { reason: 'settings' });
    else {
      fixes.set(fingerprint, { reason: 'unclear' });
      byFile.set(scanned, [...(byFile.get(scanned) ?? []), { fingerprint, finding }]);
    }
  }
  let count = 0;
  for (const [file, all] of byFile) {
    for (let from = 0; from < all.length && count < MAX_FIXES; from += FINDINGS_PER_JOB) {
      const part = all.slice(from, from + FINDINGS_PER_JOB);
      count += part.length;
      const proposed = await proposeInPool(file, part, options);
      // The file is too complex, so jobs for its other findings would also exceed the resource limits.
      if (!proposed) break;
      for (const [i, fix] of proposed.entries()) fixes.set(part[i]!.fingerprint, withLocation(fix, file, theme));
    }
  }
  return fixes;
}

/** Proposes fixes in a worker process. Returns null if the file is too complex. */
async function proposeInPool(
  { name, segments }: ScannedThemeFile,
  part: readonly { readonly finding: Finding }[],
  { jobs, host, asOf }: ThemeFixOptions,
): Promise<readonly ProposedFix[] | null> {
  const file = { name, source: segments.map(({ text }) => text).join(''), host, asOf };
  try {
    const findings = part.map(({ finding }) => finding);
    return await jobs.run<typeof proposeFileFixes>(fixModule, 'proposeFileFixes', { file, findings });
  } catch (error) {
    if (error instanceof PoolError && error.blamesInput) return null;
    throw error;
  }
}

/** Adds the file to a fix, unless another file in the theme uses variables that the fix removes. */
function withLocation(proposed: ProposedFix, file: ScannedThemeFile, theme: ThemeReading): FileFix | NoFix {
  if ('reason' in proposed) return proposed;
  const uses = new RegExp(`(?<![\\w$])(?:${proposed.removes.join('|')})(?![\\w$])`);
  const isUsed = ({ name, segments }: ScannedThemeFile) =>
    name !== file.name && segments.some(({ text }) => uses.test(text));
  if (proposed.removes.length > 0 && theme.files.some(isUsed)) return { reason: 'other_file' };
  return { themeId: theme.coverage.theme!.id, name: file.name, ...proposed };
}
