import { codeInits, isPresent, ofKind, unreadContainers, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_missing_pageview',
    title: 'Meta pixel without a PageView event',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The base code initializes a pixel, but the page never sends `PageView`. The finding is a note if Tag Manager might send `PageView`, or if only `trackSingle` sends it.',
    why: 'Website audiences and landing page view optimization depend on page views.',
    fix: "Call `fbq('track', 'PageView')` after `init`.",
    messages: {
      track_single: 'The page sends PageView only with trackSingle, so not every pixel receives it.',
      missing: "Meta pixel {id} is initialized, but the page doesn't send PageView.",
      missing_unknown_id: "A Meta pixel is initialized, but the page doesn't send PageView.",
    },
    sources: ['https://developers.facebook.com/docs/meta-pixel/get-started'],
  },
  check(page, report) {
    const inits = codeInits(page, 'meta').filter(s => s.api === 'fbq' && s.state !== 'inert');
    const [at] = inits;
    if (!at) return;
    const events = ofKind(page, 'event').filter(s => s.vendor === 'meta' && isPresent(s));
    const views = events.filter(s => s.name === 'PageView');
    if (views.some(s => !s.method.startsWith('trackSingle')) || webPixels(page, 'meta').length > 0) return;
    const [single] = views;
    if (single) {
      const ids = single.target ? [single.target] : [];
      report({
        at: single,
        message: 'track_single',
        ids,
        severity: 'info',
        variant: 'track_single',
      });
      return;
    }
    const unread = unreadContainers(page).length > 0;
    const uncertain = at.id.value === null || unread || events.some(s => s.name === null);
    const id = at.id.value;
    const severity = unread ? 'info' : 'warn';
    report({
      at,
      ...(id ? { message: 'missing', values: { id } } : { message: 'missing_unknown_id' }),
      ids: id ? [id] : [],
      severity,
      confidence: uncertain ? 'possible' : at.confidence,
    });
  },
});
