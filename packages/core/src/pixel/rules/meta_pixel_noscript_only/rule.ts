import { isPresent, ofKind, unreadContainers, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_noscript_only',
    title: 'Meta pixel loaded only as an image',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "The page requests `facebook.com/tr` from a `<noscript>` element or an AMP tag, but neither the code nor an app initializes the requested pixel. In the `foreign_id` variant, the page initializes a pixel with a different ID. In this variant, the finding is a note if a script that the scan didn't read might initialize the image's pixel. On AMP pages, the finding is always a note, because these pages can't run the pixel script.",
    why: "Except on AMP pages, only visitors without JavaScript are counted. If the ID isn't yours, another business might receive the page views.",
    fix: 'Connect the Facebook & Instagram app, and then delete the image. If the page already runs the correct pixel, fix the ID in the image, or delete the image.',
    fixHeadless: 'Initialize the pixel in the storefront code, or delete the image.',
    messages: {
      only_image: 'Meta pixel {id} is on the page only as an image.',
      foreign_id:
        'Meta pixel {id} is on the page only as an image for browsers without JavaScript. The page initializes {others} instead.',
    },
    sources: ['https://developers.facebook.com/docs/meta-pixel/get-started'],
  },
  check(page, report) {
    const started = ofKind(page, 'init').filter(s => s.vendor === 'meta' && isPresent(s));
    const ids = new Set(started.map(s => s.id.value));
    const unknown = ids.has(null) || webPixels(page, 'meta').some(pixel => pixel.ids.length === 0);
    const old = ofKind(page, 'legacy').some(s => s.api === 'meta_call');
    const loaded = ofKind(page, 'loader').some(s => s.library === 'fbevents' && isPresent(s));
    if (unknown || old || (loaded && started.length === 0)) return;
    for (const at of ofKind(page, 'beacon')) {
      const id = at.params.id;
      if (at.api !== 'pixel' || !id || (at.placement !== 'noscript' && at.placement !== 'amp')) continue;
      if (ids.has(id)) continue;
      const shown = id.slice(0, 40);
      const others = [...ids].flatMap(other => other ?? []).slice(0, 3);
      const isForeign = ids.size > 0 && at.placement === 'noscript';
      report({
        at,
        ...(isForeign
          ? { message: 'foreign_id', values: { id: shown, others }, variant: 'foreign_id' }
          : { message: 'only_image', values: { id: shown } }),
        ids: [shown],
        // A second pixel is often initialized by a plugin script that the scan didn't read.
        severity: at.placement === 'amp' || (isForeign && page.facts.hasUnreadScripts) ? 'info' : 'warn',
        confidence: unreadContainers(page).length > 0 || page.facts.hasUnreadScripts ? 'possible' : at.confidence,
      });
    }
  },
});
