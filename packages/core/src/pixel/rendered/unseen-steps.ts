import { type MessageTerm, term } from '../model/message.ts';
import { formatRendering, type RenderingMessage, type RenderingTranslation } from './messages.ts';
import type { PhaseRecord, RenderedPage } from './rendered-page.ts';

/**
 * Returns sentences about the parts of a visit that weren't recorded, so that readers don't mistake missing events for
 * broken tags.
 *
 * Source for Shopify's default robots.txt file:
 * https://shopify.dev/docs/storefronts/themes/architecture/templates/robots-txt-liquid
 *
 * @param translation language of the sentences; null for English
 * @example
 * unseenSteps(rendering)[0]
 * // 'These steps weren’t recorded, because robots.txt disallows them: cart, search. …'
 */
export function unseenSteps(
  { phases }: Pick<RenderedPage, 'phases'>,
  translation: RenderingTranslation | null = null,
): string[] {
  const stepsOf = (wanted: (phase: PhaseRecord) => boolean): MessageTerm[] =>
    [...new Set(phases.filter(wanted).map(({ step }) => step))].map(step => term(`step_${step}`));
  const blocked = stepsOf(({ skipped }) => skipped === 'robots');
  const incomplete = stepsOf(({ skipped, complete }) => skipped === null && !complete);
  const messages: RenderingMessage[] = [
    ...(blocked.length === 0 ? [] : [{ message: 'steps_blocked' as const, values: { steps: blocked } }]),
    ...(incomplete.length === 0 ? [] : [{ message: 'steps_incomplete' as const, values: { steps: incomplete } }]),
    ...(phases.some(({ decision }) => decision === 'none') ? [{ message: 'choice_unseen' as const }] : []),
  ];
  return messages.map(message => formatRendering(message, translation));
}
