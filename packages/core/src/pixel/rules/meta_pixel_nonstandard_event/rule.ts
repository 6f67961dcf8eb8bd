import { isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

const STANDARD = (
  'PageView AddPaymentInfo AddToCart AddToWishlist CompleteRegistration Contact CustomizeProduct Donate FindLocation ' +
  'InitiateCheckout Lead Purchase Schedule Search StartTrial SubmitApplication Subscribe ViewContent'
).split(' ');

/** Case and separators aside, as people mistype event names. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const meant = new Map(STANDARD.map(name => [plain(name), name]));

export default defineRule({
  meta: {
    id: 'meta_pixel_nonstandard_event',
    title: 'A name that is no standard event is sent as one',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: '`fbq("track", name)` with a name that is not among the 18 standard events.',
    why: 'Campaigns cannot optimise for it as a standard event.',
    fix: "Use the standard name, or fbq('trackCustom', …).",
    sources: ['https://developers.facebook.com/docs/meta-pixel/reference'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'event')) {
      if (at.vendor !== 'meta' || at.method !== 'track' || at.name === null || !isPresent(at)) continue;
      if (STANDARD.includes(at.name)) continue;
      const name = meant.get(plain(at.name));
      const message = name
        ? `"${at.name}" is no standard event; "${name}" is meant.`
        : `"${at.name}" is no standard event and should be sent with trackCustom.`;
      report({ at, message: message.slice(0, 200), ids: [at.name.slice(0, 80)] });
    }
  },
});
