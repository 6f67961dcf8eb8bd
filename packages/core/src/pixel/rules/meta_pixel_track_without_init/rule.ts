import { hasContainer, isLive, isPresent, ofKind, webPixels } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_track_without_init',
    title: 'Meta events are sent, but no pixel is started',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'Live code calls `fbq("track")` and nothing on the page starts a pixel: no init, no app pixel, no setting. An info when the call is guarded, or Tag Manager may start one.',
    why: 'The event is dropped, and without a guard the call stops the script around it.',
    fix: 'Delete the call, or connect the Facebook & Instagram app.',
    fixHeadless: 'Delete the call, or start the pixel first.',
    sources: ['https://developers.facebook.com/docs/meta-pixel/get-started'],
  },
  check(evidence, report) {
    const started = ofKind(evidence, 'init').some(s => s.vendor === 'meta' && isPresent(s));
    if (started || webPixels(evidence, 'meta').length > 0) return;
    const container = hasContainer(evidence);
    for (const at of ofKind(evidence, 'event')) {
      if (at.vendor !== 'meta' || !isLive(at) || (at.method !== 'track' && at.method !== 'trackCustom')) continue;
      const guarded = at.guards.some(g => g === 'fbq' || g === 'window.fbq');
      const message = `fbq is asked to track ${at.name ?? 'an event'}, but nothing on the page starts a pixel.`;
      report({ at, message, severity: guarded || container ? 'info' : 'error' });
    }
  },
});
