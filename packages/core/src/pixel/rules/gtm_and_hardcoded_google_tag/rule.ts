import { hasContainer, isLive } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_and_hardcoded_google_tag',
    title: 'Tag Manager and a Google tag in the code side by side',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'A container starts, and the code of the page also configures or loads a Google tag or Analytics. Always `possible`: what is in the container cannot be seen.',
    why: 'If the container holds the same tag, everything is counted twice.',
    fix: 'Move the tag into the container, or check that it is not in there as well.',
    sources: ['https://developers.google.com/tag-platform/tag-manager/datalayer'],
  },
  check(evidence, report) {
    if (!hasContainer(evidence)) return;
    const tags = evidence.sightings.filter(
      s =>
        isLive(s) &&
        ((s.kind === 'init' &&
          s.vendor === 'google' &&
          (s.api === 'gtag' || s.api === 'analytics' || s.api === 'ga')) ||
          (s.kind === 'loader' && s.library === 'gtag' && s.id !== null)),
    );
    const at = tags.find(s => s.kind === 'init') ?? tags[0];
    if (!at) return;
    const ids = tags
      .flatMap(s => (s.kind === 'init' ? [s.id.value] : s.kind === 'loader' ? [s.id] : []))
      .filter(id => id !== null);
    const message = 'A Google tag in the code stands beside a container; what the container holds is not seen.';
    report({ at, message, ids, confidence: 'possible' });
  },
});
