import { codeInits, isLive, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_legacy_call',
    title: 'Call to the discontinued Conversion Tracking Pixel',
    severity: 'error',
    since: '2017-02',
    owner: 'theme',
    singleFile: true,
    what: 'Live code pushes `addPixelId` or `track` to `_fbq`, or sets `_fbds`. Both interfaces belong to the Conversion Tracking Pixel, which Meta introduced in 2013.',
    why: 'Meta shut down the Conversion Tracking Pixel in February 2017 and now ignores the data that these calls send.',
    fix: 'Delete the code and connect the Facebook & Instagram app.',
    fixHeadless: 'Delete the code and load the current pixel (`fbq`) in the storefront code.',
    messages: {
      called:
        'Code calls the Conversion Tracking Pixel ({api}), which Meta shut down in 2017. Meta ignores the data that this code sends.',
    },
    sources: ['https://developers.facebook.com/docs/meta-pixel/support/pixel-migration'],
  },
  check(page, report) {
    const mitigated = codeInits(page, 'meta').some(s => s.api === 'fbq');
    for (const at of ofKind(page, 'legacy')) {
      if (at.api !== 'meta_call' || !isLive(at)) continue;
      report({ at, message: 'called', values: { api: at.detail }, ids: at.id ? [at.id] : [], mitigated });
    }
  },
});
