import { term } from '../model/message.ts';
import type { Phase, VisitStep } from '../rendered/rendered-page.ts';
import { type ReportText, reportText } from './texts.ts';

/**
 * Returns a heading for a step of a visit.
 *
 * @param t report strings in the heading's language
 * @example stepTitle({ phase: 'accept', step: 'product' }) // 'After accepting, product page'
 */
export function stepTitle(
  { phase, step }: { readonly phase: Phase; readonly step: VisitStep },
  t: ReportText = reportText(null),
): string {
  const name = t(`phase_${phase}`);
  return step === 'page' ? name : t('phase_and_step', { phase: name, step: term(`step_${step}`) });
}
