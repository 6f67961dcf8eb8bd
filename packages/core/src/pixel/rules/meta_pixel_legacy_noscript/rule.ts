import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_legacy_noscript',
    title: 'Discontinued Conversion Tracking Pixel image',
    severity: 'warn',
    since: '2017-02',
    owner: 'theme',
    singleFile: true,
    what: 'An image requests either `offsite_event.php`, or `facebook.com/tr` with a numeric event name and no ID.',
    why: "The image belongs to the pixel that Meta shut down in February 2017. The request succeeds, but Meta doesn't count it.",
    fix: 'Delete the image.',
    messages: {
      image: 'The page has a Conversion Tracking Pixel image. Meta shut down this pixel in 2017.',
    },
    sources: ['https://developers.facebook.com/docs/meta-pixel/support/pixel-migration'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'beacon')) {
      const event = at.params.ev ?? '';
      const old = at.api === 'offsite' || (at.api === 'pixel' && /^\d+$/.test(event) && !at.params.id);
      if (at.vendor === 'meta' && old) {
        report({
          at,
          message: 'image',
          ids: event ? [event] : [],
        });
      }
    }
  },
});
