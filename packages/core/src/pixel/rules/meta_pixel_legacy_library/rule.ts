import { codeInits, isLive, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_legacy_library',
    title: 'The library of the switched-off Conversion Tracking Pixel',
    severity: 'error',
    since: '2017-02',
    owner: 'theme',
    what: 'The page loads `fbds.js` or `fp.js` from connect.facebook.net.',
    why: 'It belongs to the pixel Meta switched off in February 2017. It costs loading time and counts nothing.',
    fix: 'Delete the loader and connect the Facebook & Instagram app.',
    fixHeadless: 'Delete the loader and load the present pixel in the storefront code.',
    sources: ['https://developers.facebook.com/docs/meta-pixel/support/pixel-migration'],
  },
  check(evidence, report) {
    const mitigated = codeInits(evidence, 'meta').some(s => s.api === 'fbq');
    for (const at of ofKind(evidence, 'loader')) {
      if (at.library !== 'fbds' || !isLive(at)) continue;
      const from = at.official ? 'Meta' : at.host;
      report({ at, message: `The library of a pixel that ended in 2017 is loaded from ${from}.`, mitigated });
    }
  },
});
