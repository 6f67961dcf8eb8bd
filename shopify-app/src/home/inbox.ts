import type { FindingSeverity, ProductCertificateState, StoredFinding, VariantCounts } from '@compliance/store/shop';
import type { CatalogStatus } from '../catalog/model/classify.ts';
import { ruleTitleOf } from '../findings/findings.ts';
import type { FindingDetail } from '../scan/model/types.ts';

/** Maximum number of findings in the inbox. */
export const MAX_FINDINGS = 5;

/** Urgencies, most urgent first. `review` means that nothing is wrong, but the merchant should take a look. */
const URGENCIES = ['error', 'warn', 'review'] as const;

/**
 * Task unrelated to the storefront scan. `changed` is about variants whose results changed with new tariff lists.
 * `voided` is about products whose newest certificate was voided. `draft` is about certificates that haven't been
 * issued. Each of the other tasks is about the variants with the status of the same name.
 */
const TASKS = ['changed', 'invalid', 'missing', 'needs_digits', 'voided', 'hit', 'in_scope', 'draft'] as const;
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
    };

/** Stored data that the inbox summarizes. */
export interface InboxInput {
  /** Open findings that the merchant hasn't accepted, most severe first. */
  readonly findings: readonly StoredFinding[];
  readonly variants: VariantCounts;
  readonly hasChanged: boolean;
  readonly certificates: Readonly<Record<ProductCertificateState, number>>;
}

/**
 * Collects the items from all areas of the app that need the merchant's attention, most urgent first.
 *
 * @example inboxOf({ findings: [], variants, hasChanged: false, certificates })[0]; // { kind: 'task', task: 'missing', … }
 */
export function inboxOf({ findings, variants, hasChanged, certificates }: InboxInput): InboxItem[] {
  const withStatus = (status: CatalogStatus) => variants.byStatus[status] ?? 0;
  const tasks: Readonly<Record<Task, readonly ['warn' | 'review', number | null]>> = {
    changed: ['warn', hasChanged ? null : 0],
    invalid: ['warn', withStatus('invalid')],
    missing: ['warn', withStatus('missing')],
    needs_digits: ['warn', withStatus('needs_digits')],
    voided: ['warn', certificates.voided],
    hit: ['review', withStatus('hit')],
    in_scope: ['review', withStatus('in_scope')],
    draft: ['review', certificates.draft],
  };
  const items: InboxItem[] = [
    ...findings.flatMap(finding => (finding.severity === 'info' ? [] : [toItem(finding, finding.severity)])),
    ...TASKS.map(task => ({ kind: 'task' as const, task, urgency: tasks[task][0], count: tasks[task][1] })).filter(
      ({ count }) => count !== 0,
    ),
  ];
  return items.sort((a, b) => URGENCIES.indexOf(a.urgency) - URGENCIES.indexOf(b.urgency));
}

function toItem({ fingerprint, ruleId, detail, regressedAt }: StoredFinding, urgency: 'error' | 'warn'): InboxItem {
  const { files, pages } = detail as FindingDetail;
  return {
    kind: 'finding',
    urgency,
    fingerprint,
    title: ruleTitleOf(ruleId),
    place: files[0]?.name ?? pages[0] ?? null,
    regressed: regressedAt !== null,
  };
}
