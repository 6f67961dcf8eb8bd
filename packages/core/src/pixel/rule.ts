import type { DriftChange } from './drift/change.ts';
import type { Evidence, Sighting } from './evidence/sighting.ts';
import type { Confidence, State } from './script/effect.ts';

/** `info` never costs points, `warn` loses something, `error` loses data or gives it away. */
export type Severity = 'info' | 'warn' | 'error';

/** Who can put it right: the theme's code, Shopify's settings, an app, the container in Tag Manager, or the checkout. */
export type Owner = 'theme' | 'shopify_admin' | 'app' | 'gtm' | 'checkout';

/** What a rule says about itself. Its documentation page is written from this. */
export interface RuleMeta {
  readonly id: string;
  readonly title: string;
  /** Before `escalates`, when the rule has a date. */
  readonly severity: Severity;
  readonly escalates?: { readonly on: string; readonly to: Severity };
  /** Date the fact behind the rule came into force, `YYYY-MM-DD`, or `YYYY-MM` where the day is not known; `null` where it has none. */
  readonly since: string | null;
  readonly owner: Owner;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  /** The fix for a headless storefront, where apps do not reach and tags in the code are right. */
  readonly fixHeadless?: string;
  readonly sources: readonly string[];
}

/** One thing a rule found. What it leaves out is taken from the sighting and the rule. */
export interface Report {
  readonly at: Sighting;
  readonly message: string;
  readonly ids?: readonly string[];
  readonly variant?: string;
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly state?: State;
  readonly owner?: Owner;
  readonly since?: string;
  /** The present-day tag of the same vendor is on the page too, so nothing is lost but noise. */
  readonly mitigated?: boolean;
}

/** A rule over one page. It reads the evidence and never the text of the page. */
export interface PageRule {
  readonly meta: RuleMeta;
  readonly check: (evidence: Evidence, report: (found: Report) => void) => void;
}

/** What a drift rule found, with the values on both sides. */
interface DriftReport {
  readonly message: string;
  readonly ids: readonly string[];
  readonly severity?: Severity;
}

/** A rule over two inventories of the same page. */
export interface DriftRule {
  readonly meta: RuleMeta;
  readonly compare: (change: DriftChange, report: (found: DriftReport) => void) => void;
}

/**
 * Declares a rule over a page. Gives its argument back; it exists for the types.
 *
 * @example export default defineRule({ meta: { id: 'gtm_not_in_head', … }, check(evidence, report) { … } })
 */
export const defineRule = (rule: PageRule): PageRule => rule;

/** Declares a rule over two inventories. Gives its argument back. @example defineDriftRule({ meta, compare }) */
export const defineDriftRule = (rule: DriftRule): DriftRule => rule;
