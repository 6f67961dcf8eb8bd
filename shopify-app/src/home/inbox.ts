import type {
  CertificateNeeds,
  FindingSeverity,
  ProductCertificateState,
  StoredFinding,
  VariantCounts,
} from '@compliance/store/shop';
import type { Translation } from '@compliance/translations';
import type { CatalogStatus } from '../catalog/model/classify.ts';
import type { FindingDetail } from '../scan/model/types.ts';
import { ruleTitleIn } from '../translation/translation.ts';

/** Maximum number of findings in the inbox. */
export const MAX_FINDINGS = 5;

/** Urgencies, most urgent first. `review` means that nothing is wrong, but the merchant should check the item. */
const URGENCIES = ['error', 'warn', 'review'] as const;

/**
 * Task that isn't about a scan's findings. `traffic` is about problems that only a browser check finds. `changed` is
 * about variants whose results changed with new tariff lists. `voided` is about products whose newest certificate was
 * voided. `incomplete` and `superseded` are about products whose certificate is incomplete or was superseded outside
 * the app. `retest` is about products whose next test is overdue or due soon. `draft` is about products that have a
 * draft but no valid certificate. Each of the other tasks covers the variants whose status has the same name as the
 * task.
 */
const TASKS = [
  ...(['traffic', 'changed', 'invalid', 'missing', 'needs_digits', 'incomplete', 'retest', 'voided'] as const),
  ...(['hit', 'in_scope', 'superseded', 'draft'] as const),
];
export type Task = (typeof TASKS)[number];

/** A finding or task that needs the merchant's attention. */
export type InboxItem =
  | {
      readonly kind: 'finding';
      readonly urgency: Exclude<FindingSeverity, 'info'>;
      readonly fingerprint: string;
      readonly title: string;
      /** File or page with the issue, or null if neither is known. */
      readonly place: string | null;
      readonly regressed: boolean;
    }
  | {
      readonly kind: 'task';
      readonly urgency: 'warn' | 'review';
      readonly task: Task;
      /** Number of variants or products, or null for `changed`, which isn't counted. */
      readonly count: number | null;
      /**
       * Total estimated duty on one unit of each variant, in the shop's currency, and the number of variants whose duty
       * is unknown. Null if the task isn't about duties.
       */
      readonly duty: { readonly min: number; readonly max: number; readonly unknown: number } | null;
    };

/** Stored data that the inbox summarizes. */
export interface InboxInput {
  /** Open findings that the merchant hasn't accepted and that no browser check refuted, most severe first. */
  readonly findings: readonly StoredFinding[];
  readonly variants: VariantCounts;
  readonly hasChanged: boolean;
  /** Number of the latest browser check's warnings about problems found only in the storefront's traffic. */
  readonly traffic: number;
  readonly certificates: Readonly<Record<ProductCertificateState, number>>;
  readonly needs: CertificateNeeds;
  /** Language of the finding titles. */
  readonly translation: Translation;
}

/**
 * Collects the items that need the merchant's attention from all areas of the app, most urgent first. Items with the
 * same urgency are sorted by their maximum duty, highest first.
 *
 * @example inboxOf({ findings: [], variants, hasChanged: false, traffic: 0, certificates, needs, translation })[0]; // { kind: 'task', task: 'missing', … }
 */
export function inboxOf({
  findings,
  variants,
  hasChanged,
  traffic,
  certificates,
  needs,
  translation,
}: InboxInput): InboxItem[] {
  const withStatus = (status: CatalogStatus) => variants.byStatus[status] ?? 0;
  const tasks: Readonly<Record<Task, readonly ['warn' | 'review', number | null]>> = {
    traffic: ['warn', traffic],
    changed: ['warn', hasChanged ? null : 0],
    invalid: ['warn', withStatus('invalid')],
    missing: ['warn', withStatus('missing')],
    needs_digits: ['warn', withStatus('needs_digits')],
    incomplete: ['warn', needs.incomplete],
    retest: ['warn', needs.retest],
    voided: ['warn', certificates.voided],
    hit: ['review', withStatus('hit')],
    in_scope: ['review', withStatus('in_scope')],
    superseded: ['review', needs.superseded],
    draft: ['review', certificates.draft],
  };
  const items: InboxItem[] = [
    ...findings.flatMap(finding =>
      finding.severity === 'info' ? [] : [toItem(finding, finding.severity, translation)],
    ),
    ...TASKS.map(task => ({
      ...{ kind: 'task' as const, task, urgency: tasks[task][0], count: tasks[task][1] },
      duty: task === 'hit' || task === 'in_scope' ? dutyOf(variants, task) : null,
    })).filter(({ count }) => count !== 0),
  ];
  const stake = (item: InboxItem) => (item.kind === 'task' && item.duty?.max) || 0;
  return items.sort((a, b) => URGENCIES.indexOf(a.urgency) - URGENCIES.indexOf(b.urgency) || stake(b) - stake(a));
}

function dutyOf({ dutyByStatus }: VariantCounts, status: CatalogStatus) {
  const { min = 0, max = 0, unknown = 0 } = dutyByStatus[status] ?? {};
  return { min: min / 100, max: max / 100, unknown };
}

function toItem(
  { fingerprint, ruleId, detail, regressedAt }: StoredFinding,
  urgency: 'error' | 'warn',
  translation: Translation,
): InboxItem {
  const { files, pages } = detail as FindingDetail;
  return {
    kind: 'finding',
    urgency,
    fingerprint,
    title: ruleTitleIn(ruleId, translation),
    place: files[0]?.name ?? pages[0] ?? null,
    regressed: regressedAt !== null,
  };
}
