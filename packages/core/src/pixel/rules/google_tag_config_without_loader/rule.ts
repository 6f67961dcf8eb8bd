import { codeInits, hasContainer, isInContainer, isPresent, ofKind, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'google_tag_config_without_loader',
    title: 'Google tag configured but not loaded',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "Live code calls `gtag('config')`, but the page loads neither `gtag/js` nor a container. The finding is a note if a Google tag from an app or the store preferences might process the call.",
    why: 'The calls wait in a queue that no script processes.',
    fix: 'Load `gtag/js`, or delete the calls.',
    messages: {
      not_loaded: "{id} is configured, but the Google tag isn't loaded.",
      not_loaded_unknown_id: "A Google tag is configured but isn't loaded.",
      loaded_by_shopify: "{id} is configured without a loader and depends on Shopify's own Google tag.",
      loaded_by_shopify_unknown_id:
        "A Google tag is configured without a loader and depends on Shopify's own Google tag.",
    },
    sources: ['https://developers.google.com/tag-platform/gtagjs'],
  },
  check(page, report) {
    const [at] = codeInits(page, 'google').filter(s => s.api === 'gtag' && !isInContainer(s));
    if (!at) return;
    const loaded = ofKind(page, 'loader').some(s => s.library === 'gtag' && isPresent(s));
    if (loaded || hasContainer(page)) return;
    const preferences = ofKind(page, 'init').some(s => s.api === 'preferences' && s.vendor === 'google');
    const byApp = webPixels(page, 'google').length > 0 || preferences;
    const id = at.id.value;
    const message = byApp ? 'loaded_by_shopify' : 'not_loaded';
    const uncertain = page.facts.unfetched.length > 0;
    report({
      at,
      ...(id === null ? { message: `${message}_unknown_id` } : { message, values: { id } }),
      ids: id ? [id] : [],
      severity: byApp ? 'info' : 'warn',
      confidence: uncertain ? 'possible' : at.confidence,
    });
  },
});
