import { docsUrl } from '../model/finding.ts';
import type { Inventory } from '../model/inventory.ts';
import { type Owner, type Severity, severityOn } from '../model/rule.ts';
import { driftRules } from '../rules/rules.gen.ts';
import { compareInventories } from './compare-inventories.ts';

/**
 * A reported difference between two inventories. The message contains the old and new values and the dates of both
 * inventories.
 */
export interface DriftFinding {
  readonly rule_id: string;
  readonly severity: Severity;
  readonly message: string;
  readonly ids: readonly string[];
  readonly owner: Owner;
  readonly fix: string;
  readonly docs_url: string;
  /** Likely cause of the change, such as a new theme, or `null`. */
  readonly context: string | null;
}

/**
 * Result of comparing two inventories. `broken` means that a change causes data loss. Drift doesn't affect the score.
 */
export interface DriftResult {
  readonly drift_status: 'none' | 'changed' | 'broken';
  readonly findings: readonly DriftFinding[];
  /** Reason why the inventories can't be compared, or `null`. */
  readonly not_compared: string | null;
}

const SEVERITY: Readonly<Record<Severity, number>> = { error: 0, warn: 1, info: 2 };

/**
 * Compares two inventories of the same page. Ignores layout, order, theme names, and other volatile data.
 *
 * @example drift(baseline, scan(capture, options).inventory).drift_status // 'none'
 */
export function drift(before: Inventory, after: Inventory): DriftResult {
  const change = compareInventories(before, after);
  if (!change) {
    const password = before.password || after.password;
    return { drift_status: 'none', findings: [], not_compared: password ? 'password page' : 'different page type' };
  }
  const themes = [before.theme?.id ?? null, after.theme?.id ?? null];
  const context =
    themes[0] !== themes[1] && themes[1] !== null
      ? `the theme changed from ${themes[0] ?? 'unknown'} to ${themes[1]}`
      : null;
  const findings: DriftFinding[] = [];
  for (const { meta, compare } of driftRules) {
    compare(change, found => {
      const severity = found.severity ?? severityOn(meta, after.as_of);
      const message = `${found.message} (${before.as_of} → ${after.as_of})`;
      const { owner, fix } = meta;
      findings.push({
        rule_id: meta.id,
        severity,
        message,
        ids: [...found.ids].sort(),
        owner,
        fix,
        docs_url: docsUrl(meta.id),
        context,
      });
    });
  }
  findings.sort(
    (a, b) =>
      SEVERITY[a.severity] - SEVERITY[b.severity] ||
      (a.rule_id < b.rule_id ? -1 : a.rule_id > b.rule_id ? 1 : a.message < b.message ? -1 : 1),
  );
  const broken = findings.some(f => f.severity === 'error');
  return { drift_status: broken ? 'broken' : findings.length > 0 ? 'changed' : 'none', findings, not_compared: null };
}
