import { isInContainer, isLive, unreadContainers } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_and_hardcoded_google_tag',
    title: 'Tag Manager container and hard-coded Google tag',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "A container loads, and the page code also configures or loads a Google tag or Google Analytics. The scan reports this problem only if it couldn't read the container. The confidence is always `possible`.",
    why: 'If the container includes the same tag, page views and other automatic events can be counted twice.',
    fix: "Move the tag into the container, or make sure that the container doesn't include the same tag.",
    messages: {
      both: "The page has a container and a hard-coded Google tag. The scan can't determine whether the container includes the same tag.",
    },
    sources: ['https://developers.google.com/tag-platform/tag-manager/datalayer'],
  },
  check(page, report) {
    if (unreadContainers(page).length === 0) return;
    const tags = page.observations.filter(
      s =>
        isLive(s) &&
        !isInContainer(s) &&
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
    report({ at, message: 'both', ids, confidence: 'possible' });
  },
});
