import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_legacy_noscript',
    title: 'The image of the switched-off Conversion Tracking Pixel',
    severity: 'warn',
    since: '2017-02',
    owner: 'theme',
    what: 'An image asks facebook.com/tr with a number as event and without an id, or asks offsite_event.php.',
    why: 'It is the image of the pixel that ended in February 2017; the request is answered and counted nowhere.',
    fix: 'Delete the image.',
    sources: ['https://developers.facebook.com/docs/meta-pixel/support/pixel-migration'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'beacon')) {
      const event = at.params.ev ?? '';
      const old = at.api === 'offsite' || (at.api === 'pixel' && /^\d+$/.test(event) && !at.params.id);
      if (at.vendor === 'meta' && old) {
        report({ at, message: 'An image of the pixel Meta switched off in 2017.', ids: event ? [event] : [] });
      }
    }
  },
});
