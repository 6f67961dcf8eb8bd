import { isPresent, ofKind, unreadContainers, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_noscript_only',
    title: 'Meta pixel loaded only as an image',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "The page requests `facebook.com/tr` from a `<noscript>` element or an AMP tag, and neither the code nor an app initializes that pixel. In the `foreign_id` variant, the page initializes a pixel with a different ID, and the finding is a note if a script that the scan didn't read might initialize the ID in the image. The finding is always a note on AMP pages, because they can't run the pixel script.",
    why: "Only visitors without JavaScript are counted. If the ID isn't yours, another business might receive these visitors' page views.",
    fix: 'Connect the Facebook & Instagram app, and then delete the image. If the page already runs the right pixel, correct the ID in the image, or delete the image.',
    fixHeadless: 'Initialize the pixel in the storefront code, or delete the image.',
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
      const image = `Meta pixel ${id.slice(0, 40)} is on the page only as an image for browsers without JavaScript`;
      const others = [...ids].slice(0, 3).join(', ');
      const isForeign = ids.size > 0 && at.placement === 'noscript';
      report({
        at,
        message: isForeign ? `${image}. The page initializes ${others} instead.` : `${image}.`,
        ids: [id.slice(0, 40)],
        ...(isForeign && { variant: 'foreign_id' }),
        // Often, a plugin script that the scan didn't read initializes a second pixel.
        severity: at.placement === 'amp' || (isForeign && page.facts.hasUnreadScripts) ? 'info' : 'warn',
        confidence: unreadContainers(page).length > 0 || page.facts.hasUnreadScripts ? 'possible' : at.confidence,
      });
    }
  },
});
