import { hasContainer, isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_noscript_only',
    title: 'Only the image of a Meta pixel is left',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The page asks facebook.com/tr from noscript or AMP, and no pixel is started by code or an app. On AMP, where nothing else is possible, it is an info.',
    why: 'Only visitors without JavaScript are counted.',
    fix: 'Connect the Facebook & Instagram app, then delete the image.',
    fixHeadless: 'Start the pixel in the storefront code, or delete the image.',
    sources: ['https://developers.facebook.com/docs/meta-pixel/get-started'],
  },
  check(evidence, report) {
    const started = ofKind(evidence, 'init').some(s => s.vendor === 'meta' && isPresent(s));
    const old = ofKind(evidence, 'legacy').some(s => s.api === 'meta_call');
    const loaded = ofKind(evidence, 'loader').some(s => s.library === 'fbevents' && isPresent(s));
    if (started || old || loaded) return;
    for (const at of ofKind(evidence, 'beacon')) {
      const id = at.params.id;
      if (at.api !== 'pixel' || !id || (at.placement !== 'noscript' && at.placement !== 'amp')) continue;
      const message = `Meta pixel ${id.slice(0, 40)} is only there as an image for browsers without scripts.`;
      report({
        at,
        message,
        ids: [id.slice(0, 40)],
        severity: at.placement === 'amp' ? 'info' : 'warn',
        confidence: hasContainer(evidence) ? 'possible' : at.confidence,
      });
    }
  },
});
