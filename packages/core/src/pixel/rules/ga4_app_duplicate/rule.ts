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
    title: 'Theme and app send data to the same Google ID',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: "The page code configures or loads an ID that the Google & YouTube app also uses. For a Google Ads ID, the finding is a warning if the theme doesn't send events to that ID.",
    why: 'The app configures the same tag and sends its own page views and purchases. If the theme also contains the tag, each page view and purchase is counted twice.',
    fix: 'Delete the tag from the theme and keep the app.',
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
      const message = `${id} runs in both ${placeOf(at)} and the Google & YouTube app${sends ? ', so its events are counted twice' : ''}.`;
      report({ at, message, ids: [id], severity: sends ? 'error' : 'warn' });
    }
  },
});
