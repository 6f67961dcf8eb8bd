import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_image_outside_noscript',
    title: 'The image of a Meta pixel stands outside noscript',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'A live image asks facebook.com/tr with a pixel id.',
    why: 'It is sent for every visitor, before any consent, and doubles what the pixel itself sends.',
    fix: 'Put the image in a noscript element, or delete it.',
    sources: ['https://developers.facebook.com/documentation/meta-pixel/advanced'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'beacon')) {
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
        message: `The image of Meta pixel ${id.slice(0, 40)} is asked for on every visit.`,
        ids: [id.slice(0, 40)],
      });
    }
  },
});
