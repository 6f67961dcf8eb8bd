import { type MessageTerm, term } from '../../model/message.ts';
import type { ObservationOf, TagObservation } from '../../model/observation.ts';
import type { PageFacts, PageObservations } from '../../model/page-observations.ts';
import { isInContainer, isPresent, ofKind, targetsOf } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const messages = {
  home: '{event} is sent on every visit to the home page.',
  product: '{event} is sent on every visit to a product page.',
  collection: '{event} is sent on every visit to a collection page.',
  cart: '{event} is sent on every visit to the cart page.',
  search: '{event} is sent on every visit to the search page.',
  blog: '{event} is sent on every visit to a blog page.',
  article: '{event} is sent on every visit to a blog post.',
  other: '{event} is sent on every visit to this page.',
} as const;

/**
 * Shopify page types that visitors see without placing an order. Custom pages aren't included, because visitors might
 * see them after an order.
 */
const ORDINARY = new Set(
  'home index product collection list-collections cart blog article search policy 404'.split(' '),
);

/** Matches words in the URLs of pages shown after an order. */
const ORDER =
  /thank|order|confirm|success|complete|receipt|checkout|purchase|payment|invoice|danke|bestell|merci|commande|gracias|pedido|compra|obrigad|grazie|ordine|bedankt|tack|kvitt/i;

/** Matches identifiers that appear in conditions only to check whether a tag's function exists. */
const TAG_NAME = /^(?:window|self|globalThis|undefined|function|(?:window\.)?(?:fbq|_fbq|gtag|dataLayer))$/;

export default defineRule({
  meta: {
    id: 'purchase_event_on_ordinary_page',
    title: 'Purchase event on a page without an order',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: "A page that isn't shown after an order, such as the home page or a product page, sends a Meta `Purchase` event, a GA4 `purchase` event, or a Google Ads conversion with a `transaction_id` every time it loads. Events in event handlers, in conditional blocks, and in functions that don't run on page load are ignored. If the scan can't determine the page type, the confidence is `possible`. In that case, the finding is a warning if the URL points to the home page, or a note otherwise.",
    why: 'Each visit counts as a purchase, so revenue, return on ad spend, and campaign optimization are distorted.',
    fix: 'Delete the event from the theme. Track purchases with an app pixel, or with a custom pixel that subscribes to `checkout_completed`.',
    fixHeadless: 'Send the event only from the order confirmation page.',
    messages,
    sources: [
      'https://developers.facebook.com/docs/meta-pixel/reference',
      'https://developers.google.com/analytics/devguides/collection/ga4/reference/events',
      'https://support.google.com/google-ads/answer/7548399',
    ],
  },
  check(page, report) {
    const kind = kindOfPage(page.facts);
    if (kind === 'order') return;
    const initialized = new Set(ofKind(page, 'init').flatMap(o => (isPresent(o) ? [o.vendor] : [])));
    for (const at of ofKind(page, 'event')) {
      const purchase = purchaseOf(at);
      if (!purchase || at.state !== 'run' || at.confidence === 'possible' || !isUnconditional(page, at)) continue;
      report({
        at,
        message: kind === 'ordinary' ? (PAGES[page.facts.pageType] ?? 'other') : 'other',
        values: { event: purchase.name },
        ids: [purchase.id],
        variant: purchase.variant,
        ...(kind === 'unknown' && { severity: isHomePage(page.facts) ? 'warn' : 'info' }),
        // Without a visible `init`, the event is sent only if code that the scan can't see initializes the tag.
        confidence: kind === 'unknown' || !initialized.has(at.vendor) ? 'possible' : at.confidence,
      });
    }
  },
});

/** Messages by Shopify page type. Other page types use the message `other`. */
const PAGES: Readonly<Record<string, keyof typeof messages>> = {
  ...{ home: 'home', index: 'home', product: 'product', collection: 'collection' },
  ...{ cart: 'cart', search: 'search', blog: 'blog', article: 'article' },
};

/** A purchase reported by an event. */
interface Purchase {
  readonly variant: 'meta' | 'ga4' | 'google_ads';
  readonly name: MessageTerm;
  readonly id: string;
}

function purchaseOf(event: ObservationOf<'event'>): Purchase | null {
  const { vendor, method, name, parameters } = event;
  if (vendor === 'meta')
    return name === 'Purchase' && (method === 'track' || method === 'trackSingle')
      ? { variant: 'meta', name: term('meta_purchase'), id: name }
      : null;
  if (vendor !== 'google' || method !== 'event') return null;
  if (name === 'purchase') return { variant: 'ga4', name: term('google_purchase'), id: name };
  // A conversion without an order ID might be a page view or a lead.
  if (name !== 'conversion' || !parameters?.values.has('transaction_id')) return null;
  const [target] = targetsOf(event).filter(id => id.startsWith('AW-'));
  const id = target?.slice(0, 60);
  return id === undefined ? null : { variant: 'google_ads', name: term('google_ads_conversion', { id }), id };
}

const afterHost = (url: string): string => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '');

const isHomePage = ({ url }: PageFacts): boolean => /^\/?(?:[?#]|$)/.test(afterHost(url));

function kindOfPage({ pageType, url }: PageFacts): 'order' | 'ordinary' | 'unknown' {
  if (ORDER.test(afterHost(url))) return 'order';
  return ORDINARY.has(pageType) ? 'ordinary' : 'unknown';
}

/** Returns whether code runs unconditionally, apart from checks that the tag's function exists. */
function isUnconditional(page: PageObservations, at: TagObservation): boolean {
  if (isInContainer(at)) {
    const inTag = ofKind(page, 'container_tag').find(o => o.where.source === at.where.source);
    const always = inTag?.tag.triggers.some(
      t => /^(?:page_view|dom_ready|window_loaded|initialization)$/.test(t.kind) && t.conditions.length === 0,
    );
    if (!always || inTag!.tag.exceptions.length > 0) return false;
  }
  return at.branches.length === 0 || (at.guards.length > 0 && at.guards.every(name => TAG_NAME.test(name)));
}
