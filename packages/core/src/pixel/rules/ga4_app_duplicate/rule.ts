import { isLive, ofKind, webPixels } from '../../evidence/queries.ts';
import type { Sighting } from '../../evidence/sighting.ts';
import { defineRule } from '../../rule.ts';

const destination = (seen: Sighting): string | null =>
  seen.kind === 'init' && seen.api === 'gtag'
    ? seen.id.value
    : seen.kind === 'loader' && seen.library === 'gtag'
      ? seen.id
      : null;

export default defineRule({
  meta: {
    id: 'ga4_app_duplicate',
    title: 'Theme and app send to the same Google id',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'An id the code of the page configures is also listed by the Google & YouTube app. An Ads id that the theme only configures, without events, is a warning.',
    why: 'The app configures the tag and sends its own page views and purchases; the copy in the theme doubles them.',
    fix: 'Delete the tag from the theme and keep the app.',
    sources: ['Shopify Help Center, Pixels › Migrating pixels'],
  },
  check(evidence, report) {
    const ofApps = new Set(webPixels(evidence, 'google').flatMap(a => a.ids));
    if (ofApps.size === 0) return;
    const events = ofKind(evidence, 'event').filter(s => s.vendor === 'google' && s.method === 'event' && isLive(s));
    const told = new Set<string>();
    const seen = evidence.sightings.filter(isLive);
    for (const at of [...seen.filter(s => s.kind === 'init'), ...seen]) {
      const id = destination(at);
      if (id === null || !ofApps.has(id) || told.has(id)) continue;
      told.add(id);
      const ads = id.startsWith('AW-');
      const sends = !ads || events.some(e => e.target === null || e.target.startsWith(id));
      const message = `${id} is run by the theme and by the Google & YouTube app${sends ? '; its events count twice' : ''}.`;
      report({ at, message, ids: [id], severity: sends ? 'error' : 'warn' });
    }
  },
});
