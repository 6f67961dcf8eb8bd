import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const STANDARD = (
  'PageView AddPaymentInfo AddToCart AddToWishlist CompleteRegistration Contact CustomizeProduct Donate FindLocation ' +
  'InitiateCheckout Lead Purchase Schedule Search StartTrial SubmitApplication Subscribe ViewContent'
).split(' ');

/** Removes differences in case and separators, which are often the only mistakes in an event name. */
const normalize = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const standardNames = new Map(STANDARD.map(name => [normalize(name), name]));

export default defineRule({
  meta: {
    id: 'meta_pixel_nonstandard_event',
    title: 'Nonstandard event name in a track call',
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: "Code calls `fbq('track', name)` with a name that isn't one of the 18 standard events.",
    why: "Meta treats the event as a custom event, so campaigns can't optimize for the standard event.",
    fix: "Use the standard name, or call `fbq('trackCustom', …)`.",
    sources: ['https://developers.facebook.com/docs/meta-pixel/reference'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'event')) {
      if (at.vendor !== 'meta' || at.method !== 'track' || at.name === null || !isPresent(at)) continue;
      if (STANDARD.includes(at.name)) continue;
      const name = standardNames.get(normalize(at.name));
      const message = name
        ? `"${at.name}" isn't a standard event. Use "${name}".`
        : `"${at.name}" isn't a standard event. Send it with trackCustom.`;
      report({ at, message: message.slice(0, 200), ids: [at.name.slice(0, 80)] });
    }
  },
});
