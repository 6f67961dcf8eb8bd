import { codeInits, hasContainer, isPresent, ofKind, webPixels } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_missing_pageview',
    title: 'A Meta pixel is started but tracks no page view',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The base code starts a pixel, and no `PageView` is sent anywhere on the page. An info when Tag Manager may send it, or when only `trackSingle` sends it.',
    why: 'Website audiences and landing page views starve without it.',
    fix: "Add fbq('track', 'PageView') after the init.",
    sources: ['https://developers.facebook.com/docs/meta-pixel/get-started'],
  },
  check(evidence, report) {
    const inits = codeInits(evidence, 'meta').filter(s => s.api === 'fbq' && s.state !== 'inert');
    const [at] = inits;
    if (!at) return;
    const events = ofKind(evidence, 'event').filter(s => s.vendor === 'meta' && isPresent(s));
    const views = events.filter(s => s.name === 'PageView');
    if (views.some(s => !s.method.startsWith('trackSingle')) || webPixels(evidence, 'meta').length > 0) return;
    const [single] = views;
    if (single) {
      const ids = single.target ? [single.target] : [];
      report({
        at: single,
        message: 'The page view goes to one pixel by trackSingle, not to all.',
        ids,
        severity: 'info',
        variant: 'track_single',
      });
      return;
    }
    const unsure = at.id.value === null || events.some(s => s.name === null);
    const message = `Meta pixel ${at.id.value ?? ''} is started without a PageView.`.replace('  ', ' ');
    const severity = hasContainer(evidence) ? 'info' : 'warn';
    report({
      at,
      message,
      ids: at.id.value ? [at.id.value] : [],
      severity,
      confidence: unsure ? 'possible' : at.confidence,
    });
  },
});
