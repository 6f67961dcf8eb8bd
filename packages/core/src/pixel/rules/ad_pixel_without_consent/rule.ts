import { AD_PIXELS } from '../../ad-pixels/ad-pixels.ts';
import { adPixelInits } from '../../model/ad-pixel-queries.ts';
import type { TagObservation } from '../../model/observation.ts';
import { isInContainer, isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';
import { pixelName } from '../../model/vendor.ts';

/** Returns whether an observation is part of a vendor's tag. */
const isTag = ({ kind }: TagObservation): boolean => kind === 'init' || kind === 'loader' || kind === 'event';

export default defineRule({
  meta: {
    id: 'ad_pixel_without_consent',
    title: 'Ad pixel runs before consent',
    severity: 'info',
    since: null,
    owner: 'theme',
    what: "The page asks for consent, but page code initializes a TikTok, Pinterest, Klaviyo, Snapchat, Microsoft, X, Reddit, or LinkedIn pixel when the page loads, without waiting for consent or passing the consent status to the vendor. The finding is a warning if other tags on the page wait for consent, or if the shop serves the European Economic Area and the page doesn't have a third-party consent tool that could block the pixel. Klaviyo isn't reported on Shopify storefronts, because it follows the store's privacy settings.",
    why: "The vendor receives data about visitors who haven't given consent or have refused it.",
    fix: "Use the vendor's Shopify app, which respects the visitor's consent choice, or initialize the pixel only after the visitor consents.",
    fixHeadless: 'Initialize the pixel only after the visitor consents.',
    messages: {
      others_wait: '{pixel} {ids} fires when the page loads, even though other tags on the page wait for consent.',
      others_wait_unknown_id:
        'The {pixel} fires when the page loads, even though other tags on the page wait for consent.',
      page_asks: '{pixel} {ids} fires when the page loads, even though the page asks for consent.',
      page_asks_unknown_id: 'The {pixel} fires when the page loads, even though the page asks for consent.',
    },
    sources: [
      'https://shopify.dev/docs/api/customer-privacy',
      ...AD_PIXELS.filter(({ calls, followsShopifyConsent }) => calls.consent.length > 0 || followsShopifyConsent).map(
        ({ sources }) => sources.consent.url,
      ),
    ],
  },
  check(page, report) {
    const { facts } = page;
    const othersWait = page.observations.some(o => isTag(o) && o.state === 'gated' && !isInContainer(o));
    const consents = ofKind(page, 'consent').filter(isPresent);
    const asksForConsent = facts.consentTool !== null || othersWait || consents.length > 0;
    // If nothing on the page handles consent, another rule reports all tags in the theme together.
    if (!asksForConsent) return;
    for (const pixel of AD_PIXELS) {
      const { vendor, followsShopifyConsent } = pixel;
      if (followsShopifyConsent && facts.shopify.detected) continue;
      if (consents.some(o => o.vendor === vendor)) continue;
      const inits = adPixelInits(page, pixel).filter(
        ({ at }) => at.state === 'run' && at.confidence !== 'possible' && at.channel === 'theme',
      );
      const [first] = inits;
      if (!first) continue;
      const ids = [...new Set(inits.flatMap(({ id }) => (id ? [id.slice(0, 60)] : [])))];
      const known = { pixel: pixelName(vendor) };
      const reason = othersWait ? 'others_wait' : 'page_asks';
      // A consent tool can block scripts by their URL, but Shopify's banner doesn't block scripts.
      const isBlockable = facts.consentTool !== null && facts.consentTool !== 'Shopify';
      report({
        at: first.at,
        ...(ids.length > 0
          ? { message: reason, values: { ...known, ids: ids.slice(0, 5) } }
          : { message: `${reason}_unknown_id`, values: known }),
        ids,
        severity: othersWait || (facts.profile === 'eea' && !isBlockable) ? 'warn' : 'info',
        confidence: othersWait && !isBlockable ? 'likely' : 'possible',
      });
    }
  },
});
