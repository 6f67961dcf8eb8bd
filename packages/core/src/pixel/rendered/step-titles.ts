import type { Phase, SkippedStep, VisitStep } from './rendered-page.ts';

const PHASES: Readonly<Record<Phase, string>> = {
  load: 'Before a choice',
  deny: 'After declining',
  accept: 'After accepting',
};

const STEPS: Readonly<Record<VisitStep, string>> = {
  page: '',
  product: ', product page',
  add_to_cart: ', adding the product to the cart',
  cart: ', cart',
  search: ', search',
};

/** Reasons for skipping a journey step, as shown in reports. */
export const SKIPPED_STEPS: Readonly<Record<SkippedStep, string>> = {
  not_found: 'not found',
  robots: 'not allowed by robots.txt',
  personal_data: 'the form asks for personal data',
  saved: 'not part of the saved page',
};

/**
 * Returns a heading for a step of a visit.
 *
 * @example stepTitle({ phase: 'accept', step: 'product' }) // 'After accepting, product page'
 */
export const stepTitle = ({ phase, step }: { readonly phase: Phase; readonly step: VisitStep }): string =>
  PHASES[phase] + STEPS[step];
