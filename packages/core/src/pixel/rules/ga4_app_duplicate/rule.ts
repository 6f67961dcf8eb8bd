import type { TagObservation } from '../../model/observation.ts';
import { isLive, ofKind, placeOf, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const destination = (seen: TagObservation): string | null =>
  seen.kind === 'init' && seen.api === 'gtag'
    ? seen.id.value
    : seen.kind === 'loader' && seen.library === 'gtag'
      ? seen.id
      : null;

export default defineRule({
  meta: {
    id: 'ga4_app_duplicate',
    title: 'Google tag in both the page code and an app',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: "The page code configures or loads an ID that the Google & YouTube app also uses. For a Google Ads ID, the finding is a warning if the page code doesn't send events to that ID.",
    why: 'The app configures the same tag and sends its own page views and purchases. If the tag also runs in the theme or a Tag Manager container, each page view and purchase is counted twice.',
    fix: 'Delete the tag from the theme or the Tag Manager container, and keep the app.',
    messages: {
      theme: '{id} runs in both the theme and the Google & YouTube app.',
      theme_events:
        '{id} runs in both the theme and the Google & YouTube app, so events that both send are counted twice.',
      container: '{id} runs in both the Tag Manager container and the Google & YouTube app.',
      container_events:
        '{id} runs in both the Tag Manager container and the Google & YouTube app, so events that both send are counted twice.',
    },
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(page, report) {
    const appIds = new Set(webPixels(page, 'google').flatMap(a => a.ids));
    if (appIds.size === 0) return;
    const events = ofKind(page, 'event').filter(s => s.vendor === 'google' && s.method === 'event' && isLive(s));
    const reported = new Set<string>();
    const seen = page.observations.filter(isLive);
    for (const at of [...seen.filter(s => s.kind === 'init'), ...seen]) {
      const id = destination(at);
      if (id === null || !appIds.has(id) || reported.has(id)) continue;
      reported.add(id);
      const ads = id.startsWith('AW-');
      const sends = !ads || events.some(e => e.target === null || e.target.startsWith(id));
      const place = placeOf(at);
      const message = sends ? (`${place}_events` as const) : place;
      report({ at, message, values: { id }, ids: [id], severity: sends ? 'error' : 'warn' });
    }
  },
});
