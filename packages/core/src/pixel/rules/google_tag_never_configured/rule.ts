import { hasContainer, isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'google_tag_never_configured',
    title: 'Google tag loaded but not configured',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "The page loads `gtag/js` for an ID, but no code calls `gtag('config')` for any ID. Pages with a Tag Manager container are ignored, because the container might have added the loader.",
    why: 'The Google tag sends nothing for an ID until a call configures that ID, so page views and events are lost.',
    fix: "Add the `gtag('config')` call from the Google tag's installation instructions, or delete the loader.",
    messages: {
      never_configured: 'The page loads the Google tag for {ids} but never configures it.',
    },
    sources: ['https://developers.google.com/tag-platform/gtagjs/configure'],
  },
  check(page, report) {
    const loaders = ofKind(page, 'loader').filter(s => s.library === 'gtag' && s.id !== null && s.state === 'run');
    const [at] = loaders;
    if (!at || hasContainer(page)) return;
    if (ofKind(page, 'init').some(s => s.vendor === 'google' && isPresent(s))) return;
    // The script_never_runs rule reports configuration calls in scripts with a syntax error.
    if (ofKind(page, 'init').some(s => s.vendor === 'google' && s.state === 'never_runs' && s.confidence === 'certain'))
      return;
    const ids = [...new Set(loaders.map(s => s.id!))];
    const uncertain = page.facts.unfetched.length > 0 || page.facts.truncated;
    report({
      at,
      message: 'never_configured',
      values: { ids: ids.slice(0, 5) },
      ids,
      confidence: uncertain ? 'possible' : at.confidence,
    });
  },
});
