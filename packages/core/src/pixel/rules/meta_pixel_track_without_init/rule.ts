import { isLive, isPresent, ofKind, unreadContainers, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_track_without_init',
    title: 'Meta event without an initialized pixel',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: "Live code calls `fbq('track')` or `fbq('trackCustom')`, but no `init` call, app pixel, or store preference initializes a pixel. The finding is a note if the call first checks that `fbq` exists, or if Tag Manager might initialize a pixel.",
    why: "The event is lost. A call that doesn't first check that `fbq` exists also throws an error, which stops the rest of the script.",
    fix: 'Delete the call, or connect the Facebook & Instagram app.',
    fixHeadless: 'Delete the call, or initialize the pixel first.',
    messages: {
      tracked: 'The page tracks {event} but never initializes a Meta pixel.',
      tracked_unnamed: 'The page tracks an event but never initializes a Meta pixel.',
    },
    sources: ['https://developers.facebook.com/docs/meta-pixel/get-started'],
  },
  check(page, report) {
    const started = ofKind(page, 'init').some(s => s.vendor === 'meta' && isPresent(s));
    if (started || webPixels(page, 'meta').length > 0) return;
    const unread = unreadContainers(page).length > 0;
    for (const at of ofKind(page, 'event')) {
      if (at.vendor !== 'meta' || !isLive(at) || (at.method !== 'track' && at.method !== 'trackCustom')) continue;
      const guarded = at.guards.some(g => g === 'fbq' || g === 'window.fbq');
      report({
        at,
        ...(at.name === null ? { message: 'tracked_unnamed' } : { message: 'tracked', values: { event: at.name } }),
        severity: guarded || unread ? 'info' : 'error',
        confidence: unread ? 'possible' : at.confidence,
      });
    }
  },
});
