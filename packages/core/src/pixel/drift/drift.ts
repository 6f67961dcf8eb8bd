import { docsUrl } from '../model/finding.ts';
import type { Inventory } from '../model/inventory.ts';
import { formatMessage, formatTerm, type MessageTerm, type MessageValues, term } from '../model/message.ts';
import { type Owner, type Severity, severityOn } from '../model/rule.ts';
import { driftRules } from '../rules/rules.gen.ts';
import { compareInventories } from './compare-inventories.ts';

/**
 * A reported difference between two inventories. The message contains the old and new values and both inventory dates.
 */
export interface DriftFinding {
  readonly rule_id: string;
  readonly severity: Severity;
  readonly message: string;
  /** Message ID in the rule's `messages`. */
  readonly message_id: string;
  /** Message parameter values. */
  readonly message_values: MessageValues;
  readonly ids: readonly string[];
  readonly owner: Owner;
  readonly fix: string;
  readonly docs_url: string;
  /** Likely cause of the change, such as a new theme, or `null`. */
  readonly context: string | null;
  /** Likely cause as a message term, if known. */
  readonly context_term?: MessageTerm;
}

/**
 * Result of comparing two inventories. `broken` means that a change causes data loss. Drift doesn't affect the score.
 */
export interface DriftResult {
  readonly drift_status: 'none' | 'changed' | 'broken';
  readonly findings: readonly DriftFinding[];
  /** Reason the inventories can't be compared, or `null`. */
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
  const cause = themeChange(before, after);
  const findings: DriftFinding[] = [];
  for (const { meta, compare } of driftRules) {
    compare(change, found => {
      const severity = found.severity ?? severityOn(meta, after.as_of);
      const message_values = { ...found.values, from: before.as_of, to: after.as_of };
      const { owner, fix } = meta;
      findings.push({
        rule_id: meta.id,
        severity,
        message: formatMessage(meta.messages[found.message]!, message_values),
        message_id: found.message,
        message_values,
        ids: [...found.ids].sort(),
        owner,
        fix,
        docs_url: docsUrl(meta.id),
        context: cause && formatTerm(cause),
        ...(cause && { context_term: cause }),
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

/** Returns the theme change as a message term, or `null` if the theme is the same or the new theme is unknown. */
function themeChange(before: Inventory, after: Inventory): MessageTerm | null {
  const [from, to] = [before.theme?.id ?? null, after.theme?.id ?? null];
  if (from === to || to === null) return null;
  return from === null
    ? term('theme_changed_from_unknown', { after: to })
    : term('theme_changed', { before: from, after: to });
}
