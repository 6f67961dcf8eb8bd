import { pageRules } from '@compliance/core/pixel';

/**
 * IDs of the rules that need only a single theme file. All other rules need the whole page, because missing, duplicate,
 * late, or misplaced code is detectable only after all files are combined.
 */
export const localRules: ReadonlySet<string> = new Set(
  pageRules.flatMap(({ meta }) => (meta.singleFile ? [meta.id] : [])),
);
