import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_image_outside_noscript',
    title: 'Meta pixel image outside a noscript element',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'An image outside a `<noscript>` element requests `facebook.com/tr` with a pixel ID.',
    why: 'The browser requests the image on every visit, even before the visitor consents. If the pixel also sends the event, the event is counted twice.',
    fix: 'Put the image in a `<noscript>` element, or delete it.',
    messages: {
      requested: 'The image for Meta pixel {id} is requested on every visit.',
    },
    sources: ['https://developers.facebook.com/documentation/meta-pixel/advanced'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'beacon')) {
      const id = at.params.id;
      if (
        at.api !== 'pixel' ||
        !id ||
        (at.placement !== 'image' && at.placement !== 'lazy_image') ||
        at.state !== 'run'
      )
        continue;
      report({
        at,
        message: 'requested',
        values: { id: id.slice(0, 40) },
        ids: [id.slice(0, 40)],
      });
    }
  },
});
