import { codeInits, isLive, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_legacy_call',
    title: 'Calls of the switched-off Conversion Tracking Pixel',
    severity: 'error',
    since: '2017-02',
    owner: 'theme',
    what: 'Live code pushes `addPixelId` or `track` onto `_fbq`, or sets `_fbds`: the pixel of 2013.',
    why: 'Meta switched the Conversion Tracking Pixel off in February 2017. Nothing these calls send is counted.',
    fix: 'Delete the snippet and connect the Facebook & Instagram app.',
    fixHeadless: 'Delete the snippet and load the present pixel (`fbq`) in the storefront code.',
    sources: ['https://developers.facebook.com/docs/meta-pixel/support/pixel-migration'],
  },
  check(evidence, report) {
    const mitigated = codeInits(evidence, 'meta').some(s => s.api === 'fbq');
    for (const at of ofKind(evidence, 'legacy')) {
      if (at.api !== 'meta_call' || !isLive(at)) continue;
      const message = `A call of the pixel Meta switched off in 2017 (${at.detail}); nothing it sends is counted.`;
      report({ at, message, ids: at.id ? [at.id] : [], mitigated });
    }
  },
});
