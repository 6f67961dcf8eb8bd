import { metaContract } from '../../event-contracts/contracts.ts';
import { nearestNames } from '../../event-contracts/nearest-name.ts';
import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const STANDARD = Object.keys(metaContract.events);

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
    messages: {
      misspelled: `"{event}" isn't a standard event. Use "{standard}".`,
      custom: `"{event}" isn't a standard event. Send it with trackCustom.`,
    },
    sources: [metaContract.source],
  },
  check(page, report) {
    const nearestTo = nearestNames(STANDARD);
    for (const at of ofKind(page, 'event')) {
      if (at.vendor !== 'meta' || at.method !== 'track' || at.name === null || !isPresent(at)) continue;
      if (STANDARD.includes(at.name)) continue;
      const event = at.name.slice(0, 80);
      const standard = nearestTo(at.name);
      if (standard) report({ at, message: 'misspelled', values: { event, standard }, ids: [event] });
      else report({ at, message: 'custom', values: { event }, ids: [event] });
    }
  },
});
