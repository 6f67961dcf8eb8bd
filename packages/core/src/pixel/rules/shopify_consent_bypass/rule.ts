import { codeInits, isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_consent_bypass',
    title: 'A tag in the theme runs whatever the visitor chose',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'On a Shopify storefront a Meta or Google tag runs at load, and nothing on the page speaks of consent: no privacy interface, no banner, no default. Always `possible`.',
    why: 'Shopify asks its own pixels for consent, but not code in the theme.',
    fix: 'Use the apps of Meta and Google, or start the tag after marketingAllowed() and the event visitorConsentCollected.',
    fixHeadless: 'Start the tag after marketingAllowed() and the event visitorConsentCollected.',
    sources: ['https://shopify.dev/docs/api/customer-privacy'],
  },
  check(evidence, report) {
    const { facts } = evidence;
    if (!facts.shopify.detected || facts.consentTool !== null) return;
    const asks = evidence.sightings.some(s => (s.kind === 'consent' && isPresent(s)) || s.state === 'gated');
    if (asks) return;
    const inits = [
      ...codeInits(evidence, 'meta'),
      ...codeInits(evidence, 'google').filter(s => s.api === 'gtag'),
    ].filter(s => s.state === 'run');
    const loaders = ofKind(evidence, 'loader').filter(
      s => s.library === 'gtm' && s.state === 'run' && s.channel === 'theme',
    );
    const at = inits[0] ?? loaders[0];
    if (!at) return;
    const ids = [...inits.map(s => s.id.value), ...loaders.map(s => s.id)].filter(id => id !== null);
    report({
      at,
      message: 'Tags in the theme run at load, and nothing on the page asks for consent.',
      ids,
      confidence: 'possible',
    });
  },
});
