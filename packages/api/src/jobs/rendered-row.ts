import type { PhaseRecord } from '@compliance/core/pixel';
import type { ScanRendering, StorefrontScan } from '@compliance/crawler';
import type { BulkFormat } from '@compliance/store';
import type { ResultRow } from './rows.ts';

/**
 * Converts a rendered scan to a result row. In NDJSON, the row contains each verdict with its reason. In other formats,
 * each list is a single cell of space-separated items.
 */
export function renderedRow(
  { score: staticScore, findings }: StorefrontScan,
  { findings: verdicts, traffic, unseen: not_seen, score, phases, beacons, events = [], cut, layers }: ScanRendering,
  format: BulkFormat,
): ResultRow {
  const counted = findings.filter((_, index) => verdicts[index]?.verdict !== 'refuted');
  const rules = [...new Set(counted.map(({ rule_id }) => rule_id))];
  const common = { score, static_score: staticScore, findings: counted.length, events: beacons, cut };
  if (format === 'ndjson') {
    const steps = phases.map(({ phase, step, url, decision, banner, skipped, complete }) => ({
      ...{ phase, step, url, decision, banner, skipped, complete },
      sent: events
        .filter(each => each.phase === phase && each.step === step)
        .map(({ vendor, event, count }) => ({ vendor, event, count })),
    }));
    return { ...common, rules, verdicts, traffic, not_seen, steps, isolation: layers };
  }
  const withVerdict = (wanted: string) =>
    listOf(verdicts.filter(({ verdict }) => verdict === wanted).map(({ rule_id }) => rule_id));
  return {
    ...{ ...common, rules: listOf(rules) },
    ...{ confirmed: withVerdict('confirmed'), refuted: withVerdict('refuted'), unseen: withVerdict('unseen') },
    traffic: listOf(traffic.map(({ code }) => code)),
    steps: listOf(phases.map(each => `${each.phase}/${each.step}:${statusOf(each)}`)),
    isolation: listOf(Object.keys(layers).filter(layer => layers[layer])),
  };
}

const listOf = (items: readonly string[]): string => [...new Set(items)].join(' ');

/** Returns a step's outcome, such as `robots` if the step was skipped because of the site's robots.txt file. */
function statusOf({ step, decision, skipped, complete }: PhaseRecord): string {
  if (skipped !== null) return skipped;
  if (step === 'page' && decision === 'none') return 'no_choice';
  return complete ? 'complete' : 'incomplete';
}
