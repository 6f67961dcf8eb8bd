import { codeInits, isLive, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_legacy_library',
    title: 'Discontinued Conversion Tracking Pixel library',
    severity: 'error',
    since: '2017-02',
    owner: 'theme',
    singleFile: true,
    what: 'The page loads `fbds.js` or `fp.js` from `connect.facebook.net`, or a copy of `fbds.js` from another host.',
    why: 'Meta shut down this pixel in February 2017. The library slows down the page and no longer records any data.',
    fix: 'Delete the loader and connect the Facebook & Instagram app.',
    fixHeadless: 'Delete the loader and load the current pixel in the storefront code.',
    messages: {
      loaded: 'The page loads the Conversion Tracking Pixel library from {host}. Meta shut down this pixel in 2017.',
    },
    sources: ['https://developers.facebook.com/docs/meta-pixel/support/pixel-migration'],
  },
  check(page, report) {
    const mitigated = codeInits(page, 'meta').some(s => s.api === 'fbq');
    for (const at of ofKind(page, 'loader')) {
      if (at.library !== 'fbds' || !isLive(at)) continue;
      const host = at.official ? 'Meta' : at.host;
      report({
        at,
        message: 'loaded',
        values: { host },
        mitigated,
      });
    }
  },
});
