import type { Confidence, State } from './execution.ts';
import type { InventoryChange } from './inventory-change.ts';
import type { MessageTexts, MessageValues, ReportedMessage } from './message.ts';
import type { TagObservation, Where } from './observation.ts';
import type { PageObservations } from './page-observations.ts';

/**
 * Finding severity. An `error` finding means that data is lost, incorrect, or exposed. A `warn` finding is any other
 * problem worth fixing. An `info` finding never lowers the score.
 */
export type Severity = 'info' | 'warn' | 'error';

/** Location of the fix: the theme code, the Shopify admin, an app, the Tag Manager container, or the checkout. */
export type Owner = 'theme' | 'shopify_admin' | 'app' | 'gtm' | 'checkout';

/**
 * Rule metadata, which is used to generate the rule's documentation page. The text fields contain plain sentences with
 * Markdown code spans.
 */
export interface RuleMeta {
  readonly id: string;
  readonly title: string;
  /** Severity before the `escalates` date, or at all times if `escalates` isn't set. */
  readonly severity: Severity;
  readonly escalates?: { readonly on: string; readonly to: Severity };
  /**
   * Date when the underlying change took effect: `YYYY-MM-DD`, or `YYYY-MM` if the day is unknown. `null` if the rule
   * isn't based on a change.
   */
  readonly since: string | null;
  readonly owner: Owner;
  /** Whether the rule can check a single theme file without the rest of the page. */
  readonly singleFile?: true;
  /** Description of the reported problem. */
  readonly what: string;
  /** Reason that the problem matters. */
  readonly why: string;
  /** Instructions for fixing the problem. */
  readonly fix: string;
  /** Instructions for a headless storefront, where apps don't run and tags belong in the code. */
  readonly fixHeadless?: string;
  /** Finding messages in English, by ID. */
  readonly messages: MessageTexts;
  readonly sources: readonly string[];
}

/** Returns a rule's severity on a date. Dates have the format `YYYY-MM-DD` and are compared as strings. */
export const severityOn = (meta: RuleMeta, asOf: string): Severity =>
  meta.escalates && asOf >= meta.escalates.on ? meta.escalates.to : meta.severity;

/**
 * A problem that a rule reports, without its message. Optional fields default to values from the observation and the
 * rule.
 */
interface ReportedProblem {
  readonly at: TagObservation;
  /** Location of the problem, if it isn't the observation's location. */
  readonly where?: Where;
  readonly ids?: readonly string[];
  readonly variant?: string;
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly state?: State;
  readonly owner?: Owner;
  readonly since?: string;
  /** Whether the page also has the vendor's current tag, in which case the legacy tag doesn't cause data loss. */
  readonly mitigated?: boolean;
}

/** A problem that a rule reports, with one of the rule's messages and its parameter values. */
export type ReportOf<Texts extends MessageTexts> = ReportedProblem & ReportedMessage<Texts>;

/** A problem that any rule can report. `message` is a message ID. */
export interface Report extends ReportedProblem {
  readonly message: string;
  readonly values?: MessageValues | undefined;
}

/** A rule that checks one page. The rule uses only observations, never the page's text. */
export interface PageRule {
  readonly meta: RuleMeta;
  readonly check: (page: PageObservations, report: (result: Report) => void) => void;
}

/** A change that a drift rule reports, with the affected IDs. */
interface ReportedChange {
  readonly ids: readonly string[];
  readonly severity?: Severity;
}

/** Parameters in every drift message: the dates of both inventories. */
type DriftDates = 'from' | 'to';

/** A change that any drift rule can report. `message` is a message ID. */
interface DriftReport extends ReportedChange {
  readonly message: string;
  readonly values?: MessageValues | undefined;
}

/** A rule that checks the changes between two inventories of the same page. */
export interface DriftRule {
  readonly meta: RuleMeta;
  readonly compare: (change: InventoryChange, report: (result: DriftReport) => void) => void;
}

/**
 * Declares a page rule. Returns the rule unchanged. TypeScript checks that the rule reports only its own messages, each
 * with a value for every parameter.
 *
 * @example export default defineRule({ meta: { id: 'gtm_not_in_head', … }, check(page, report) { … } })
 */
export const defineRule = <const Texts extends MessageTexts>(rule: {
  readonly meta: RuleMeta & { readonly messages: Texts };
  readonly check: (page: PageObservations, report: (result: ReportOf<Texts>) => void) => void;
}): PageRule => rule as unknown as PageRule;

/**
 * Declares a rule that checks the changes between two inventories. Returns the rule unchanged.
 *
 * @example export default defineDriftRule({ meta: { id: 'drift_tag_added', … }, compare(change, report) { … } })
 */
export const defineDriftRule = <const Texts extends MessageTexts>(rule: {
  readonly meta: RuleMeta & { readonly messages: Texts };
  readonly compare: (
    change: InventoryChange,
    report: (result: ReportedChange & ReportedMessage<Texts, DriftDates>) => void,
  ) => void;
}): DriftRule => rule as unknown as DriftRule;
