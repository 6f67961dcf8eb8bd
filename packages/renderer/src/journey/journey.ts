import { findLinkedPages, type JourneyStep, type SiteLinks, type SkippedStep } from '@compliance/core/pixel';
import type { Tab } from '../browser/tab.ts';

/** The shop that a journey visits. */
export interface ShopSource {
  /** URL of the rendered page, where the journey starts. */
  readonly url: string;
  /** Whether the page is a saved copy, which has no other pages. */
  readonly isSaved: boolean;
  /** Returns whether the site's robots.txt file allows a URL. */
  allows(url: URL): Promise<boolean>;
}

/** Parts of a visit that a journey uses. */
export interface JourneyVisit {
  readonly tab: Tab;
  readonly source: ShopSource;
  /** Opens a page, and waits until it's quiet. Returns whether the page loaded and became quiet. */
  open(url: string): Promise<boolean>;
  /** Waits until the page is quiet. Returns false if the page doesn't become quiet in time. */
  settle(): Promise<boolean>;
}

/**
 * A step that can be taken, or the reason for skipping it. `take` returns whether the page became quiet after the step.
 */
type PreparedStep = { readonly take: () => Promise<boolean> } | { readonly skipped: SkippedStep };

/** A journey through a shop. */
export interface Journey {
  /** Finds the page or the button for a step. The previous steps must have been taken or skipped. */
  prepare(step: JourneyStep): Promise<PreparedStep>;
}

/**
 * Creates a journey through a shop: viewing a product, adding it to the cart, opening the cart, and searching. If the
 * page doesn't link to a product, the journey opens a collection first. It respects robots.txt for every page,
 * including the URL that adds a product to the cart. It never opens a checkout, and never fills out a form: if the
 * product form asks for personal data, the journey doesn't add the product to the cart.
 *
 * @example
 * const journey = createJourney(visit);
 * const step = await journey.prepare('product');
 * if ('take' in step) await step.take();
 */
export function createJourney({ tab, source, open, settle }: JourneyVisit): Journey {
  const { url: start, isSaved, allows } = source;
  let product: Promise<string | null> | undefined;
  let current: string | null = null;

  const links = async (): Promise<SiteLinks> => findLinkedPages(await linksIn(tab), start);
  const findProduct = async (): Promise<string | null> => {
    if (PRODUCT.test(new URL(start).pathname)) return start;
    const { product: linked, collection } = await links();
    if (linked !== null || collection === null || !(await allows(new URL(collection)))) return linked;
    // Many home pages show collections, but no products.
    await open(collection);
    return (await links()).product;
  };
  const openPage = async (step: JourneyStep, url: string | null): Promise<PreparedStep> => {
    if (url === null) return { skipped: 'not_found' };
    if (isSaved && url !== start) return { skipped: 'saved' };
    if (!(await allows(new URL(url)))) return { skipped: 'robots' };
    return {
      take: async () => {
        current = step;
        return await open(url);
      },
    };
  };

  return {
    async prepare(step) {
      product ??= findProduct();
      if (step === 'product') return await openPage(step, await product);
      if (step !== 'add_to_cart') return await openPage(step, findLinkedPages([], start)[step]);
      if (current !== 'product') {
        const view = await openPage('product', await product);
        if ('skipped' in view) return view;
        await view.take();
      }
      if (!(await allows(new URL('/cart/add', start)))) return { skipped: 'robots' };
      const button = await tab.evaluate(addToCart('find'), 'isolated').catch(() => 'not_found');
      if (button !== 'found') return { skipped: button === 'personal_data' ? button : 'not_found' };
      return {
        take: async () => {
          current = step;
          // The click can open another page, which ends the evaluation.
          await tab.evaluate(addToCart('click'), 'isolated').catch(() => {});
          return await settle();
        },
      };
    },
  };
}

/** Path of a product page. */
const PRODUCT = /^(?:\/[a-z]{2}(?:-[a-z]{2,4}){0,2})?(?:\/collections\/[^/]+)?\/products\/[^/]+\/?$/i;

/** Path of the request that adds a product to the cart. */
export const ADD_TO_CART_PATH = /^(?:\/[a-z]{2}(?:-[a-z]{2,4}){0,2})?\/cart\/add(?:\.js)?\/?$/i;

const MAX_LINKS = 5_000;
const MAX_URL = 2_048;

async function linksIn(tab: Tab): Promise<string[]> {
  const found = await tab
    .evaluate(
      `[...document.querySelectorAll('a[href]')].slice(0, ${MAX_LINKS}).map(link => link.getAttribute('href'))
        .filter(href => href.length < ${MAX_URL} && /products|collections/.test(href))`,
      'isolated',
    )
    .catch(() => []);
  return Array.isArray(found) ? found.filter(href => typeof href === 'string') : [];
}

/**
 * Returns an expression that finds or clicks the button that adds the page's product to the cart. Its value is `found`,
 * `not_found`, or `personal_data`. Express checkout buttons are never clicked.
 */
const addToCart = (action: 'find' | 'click'): string => `(() => {
  const PERSONAL = /(?:^|\\s)(?:name|given-name|family-name|email|tel\\S*|street-address|address\\S*|postal-code|cc-\\S+|bday\\S*)(?:\\s|$)/;
  const isPersonal = field =>
    ['email', 'tel', 'password'].includes(field.type) || PERSONAL.test(field.getAttribute('autocomplete') || '');
  const candidates = [...document.querySelectorAll('form[action*="/cart/add"]')].flatMap(form => {
    const fields = [...document.querySelectorAll('input, select, textarea, button')].filter(field => field.form === form);
    const button = fields.find(field =>
      field.type === 'submit' && !field.disabled && !/checkout/i.test(field.name) &&
      !field.closest('.shopify-payment-button, [data-shopify="payment-button"]'));
    return button ? [{ button, isPersonal: fields.some(isPersonal) }] : [];
  });
  const visible = candidates.find(({ button }) => button.checkVisibility());
  const { button, isPersonal: asks } = visible || candidates[0] || {};
  if (!button) return 'not_found';
  if (asks) return 'personal_data';
  ${action === 'click' ? 'button.click();' : ''}
  return 'found';
})()`;
