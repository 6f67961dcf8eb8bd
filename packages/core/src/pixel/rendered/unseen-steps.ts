import type { PhaseRecord, RenderedPage, VisitStep } from './rendered-page.ts';

const NAMES: Readonly<Record<VisitStep, string>> = {
  page: 'page',
  product: 'product page',
  add_to_cart: 'adding the product to the cart',
  cart: 'cart',
  search: 'search',
};

/**
 * Returns sentences about the parts of a visit that weren't recorded, so that readers don't take missing events as a
 * sign of broken tags.
 *
 * Source for Shopify's default file:
 * https://shopify.dev/docs/storefronts/themes/architecture/templates/robots-txt-liquid
 *
 * @example
 * unseenSteps(rendering)[0]
 * // 'These steps weren’t seen, because robots.txt doesn’t allow them: cart, search. …'
 */
export function unseenSteps({ phases }: Pick<RenderedPage, 'phases'>): string[] {
  const stepsOf = (wanted: (phase: PhaseRecord) => boolean): string =>
    [...new Set(phases.filter(wanted).map(({ step }) => NAMES[step]))].join(', ');
  const blocked = stepsOf(({ skipped }) => skipped === 'robots');
  const incomplete = stepsOf(({ skipped, complete }) => skipped === null && !complete);
  return [
    ...(blocked === ''
      ? []
      : [
          `These steps weren’t seen, because robots.txt doesn’t allow them: ${blocked}. Shopify’s default robots.txt file blocks the cart and search pages. To allow these steps in your own shop, edit robots.txt.liquid.`,
        ]),
    ...(incomplete === '' ? [] : [`These steps are incomplete, so events might be missing: ${incomplete}.`]),
    ...(phases.some(({ decision }) => decision === 'none')
      ? [
          'The effect of a consent choice wasn’t seen, because the scan couldn’t make the choice through a consent banner or Shopify’s Customer Privacy API. The scan doesn’t recognize banners in iframes from other sites.',
        ]
      : []),
  ];
}
