import { codeInits, hasContainer, isPresent, ofKind, webPixels } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'google_tag_config_without_loader',
    title: 'The Google tag is configured but not loaded',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'Live code calls `gtag("config")`, and neither gtag/js nor a container nor a Google app is on the page. An info when an app may load it.',
    why: 'The calls wait in a list that nothing reads.',
    fix: 'Load gtag/js, or delete the calls.',
    sources: ['https://developers.google.com/tag-platform/gtagjs'],
  },
  check(evidence, report) {
    const [at] = codeInits(evidence, 'google').filter(s => s.api === 'gtag');
    if (!at) return;
    const loaded = ofKind(evidence, 'loader').some(s => s.library === 'gtag' && isPresent(s));
    if (loaded || hasContainer(evidence)) return;
    const preferences = ofKind(evidence, 'init').some(s => s.api === 'preferences' && s.vendor === 'google');
    const byApp = webPixels(evidence, 'google').length > 0 || preferences;
    const id = at.id.value;
    const message = byApp
      ? `${id ?? 'The Google tag'} is configured without a loader; it depends on Shopify's own Google tag.`
      : `${id ?? 'The Google tag'} is configured, but the Google tag is not loaded.`;
    const unsure = evidence.facts.unfetched.length > 0;
    report({
      at,
      message,
      ids: id ? [id] : [],
      severity: byApp ? 'info' : 'warn',
      confidence: unsure ? 'possible' : at.confidence,
    });
  },
});
