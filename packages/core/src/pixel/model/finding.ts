import type { Confidence, State } from './execution.ts';
import type { MessageValues } from './message.ts';
import type { Where } from './observation.ts';
import type { Owner, Severity } from './rule.ts';

/**
 * A problem that a scan found. `variant` distinguishes different problems that one rule reports. `snippet`
 * is source code without personal data.
 */
export interface Finding {
  readonly rule_id: string;
  readonly severity: Severity;
  readonly message: string;
  /** Message ID in the rule's `messages`. Findings from earlier releases don't have this field. */
  readonly message_id?: string;
  /** Message parameter values. */
  readonly message_values?: MessageValues;
  readonly confidence: Confidence;
  readonly ids: readonly string[];
  readonly where: Where;
  readonly snippet: string;
  readonly state: State;
  readonly variant: string | null;
  readonly owner: Owner;
  readonly fix: string;
  readonly docs_url: string;
  /** Effective date of the change that the rule is based on. */
  readonly since: string | null;
  /** Date when the severity increases, if that date is after the scan date. */
  readonly escalates_on: string | null;
  /** Whether the page also has the vendor's current tag, in which case fewer points are deducted for the finding. */
  readonly mitigated: boolean;
}

/** Returns the URL of a rule's documentation page, relative to the documentation site. */
export const docsUrl = (ruleId: string, locale = 'en'): string =>
  locale === 'en' ? `/docs/rules/${ruleId}` : `/docs/rules/${ruleId}?lang=${locale}`;
