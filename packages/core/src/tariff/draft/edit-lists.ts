import type { Batch, TariffList } from '../dataset/dataset.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';

/** Facts that all drafted values share. */
export type DraftedFacts = Pick<Batch, 'effective_from' | 'effective_to' | 'dated_by' | 'citation' | 'sources'>;

/**
 * Sets the last day of the given provisions that are in force on that day. Other provisions in the same batch keep
 * their dates.
 */
export function endProvisions(list: TariffList, prefixes: ReadonlySet<string>, lastDay: string): void {
  list.batches = list.batches.flatMap(batch => {
    const isOpen = batch.effective_from <= lastDay && (batch.effective_to === null || batch.effective_to > lastDay);
    if (!isOpen) return [batch];
    const ends = (provision: Batch['provisions'][number]) =>
      prefixes.has(prefixOf(typeof provision === 'string' ? provision : provision.hts));
    const ended = batch.provisions.filter(ends);
    const kept = batch.provisions.filter(provision => !ends(provision));
    return [
      ...(ended.length > 0 ? [{ ...batch, effective_to: lastDay, provisions: ended }] : []),
      ...(kept.length > 0 ? [{ ...batch, provisions: kept }] : []),
    ];
  });
}

/** Adds provisions as a new batch. */
export function addProvisions(list: TariffList, codes: readonly string[], facts: DraftedFacts): void {
  list.batches.push({ ...facts, provisions: [...codes].sort() });
}
