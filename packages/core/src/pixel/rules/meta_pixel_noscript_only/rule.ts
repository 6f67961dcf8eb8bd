import { isPresent, ofKind, unreadContainers, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_noscript_only',
    title: 'Meta pixel loaded only as an image',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "The page requests `facebook.com/tr` from a `<noscript>` element or an AMP tag, and neither the code nor an app initializes that pixel. The finding is a note on AMP pages, which can't run the pixel script.",
    why: 'Only visitors without JavaScript are counted.',
    fix: 'Connect the Facebook & Instagram app, and then delete the image.',
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
      const message = `Meta pixel ${id.slice(0, 40)} is on the page only as an image for browsers without JavaScript.`;
      report({
        at,
        message,
        ids: [id.slice(0, 40)],
        severity: at.placement === 'amp' ? 'info' : 'warn',
        confidence: unreadContainers(page).length > 0 ? 'possible' : at.confidence,
      });
    }
  },
});
