import { AD_PIXELS } from '../../ad-pixels/ad-pixels.ts';
import { codeInits, isInContainer, isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_consent_bypass',
    title: 'Theme tag runs regardless of consent',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "On a Shopify storefront, a tag from Meta, Google, or another advertising vendor runs when the page loads, but the page doesn't have a consent banner or consent default and doesn't use the Customer Privacy API. The confidence is always `possible`.",
    why: "Shopify applies the visitor's consent choices to its own pixels but not to code in the theme.",
    fix: "Use the vendors' Shopify apps, or start the tag only if `marketingAllowed()` returns `true`. Call `marketingAllowed()` when the page loads and after each `visitorConsentCollected` event.",
    fixHeadless:
      'Start the tag only if `marketingAllowed()` returns `true`. Call `marketingAllowed()` when the page loads and after each `visitorConsentCollected` event.',
    messages: {
      no_consent: 'Tags in the theme run when the page loads, and nothing on the page handles consent.',
    },
    sources: ['https://shopify.dev/docs/api/customer-privacy'],
  },
  check(page, report) {
    const { facts } = page;
    if (!facts.shopify.detected || facts.consentTool !== null) return;
    const handlesConsent = page.observations.some(s => (s.kind === 'consent' && isPresent(s)) || s.state === 'gated');
    if (handlesConsent) return;
    const pixels = AD_PIXELS.filter(({ followsShopifyConsent }) => !followsShopifyConsent);
    const inits = [
      ...codeInits(page, 'meta'),
      ...codeInits(page, 'google').filter(s => s.api === 'gtag'),
      ...pixels.flatMap(({ vendor }) => codeInits(page, vendor)),
    ].filter(s => s.state === 'run' && !isInContainer(s));
    const loaders = ofKind(page, 'loader').filter(
      s => s.library === 'gtm' && s.state === 'run' && s.channel === 'theme',
    );
    const at = inits[0] ?? loaders[0];
    if (!at) return;
    const ids = [...inits.map(s => s.id.value), ...loaders.map(s => s.id)].filter(id => id !== null);
    report({
      at,
      message: 'no_consent',
      ids,
      confidence: 'possible',
    });
  },
});
