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
    sources: [metaContract.source],
  },
  check(page, report) {
    const nearestTo = nearestNames(STANDARD);
    for (const at of ofKind(page, 'event')) {
      if (at.vendor !== 'meta' || at.method !== 'track' || at.name === null || !isPresent(at)) continue;
      if (STANDARD.includes(at.name)) continue;
      const name = nearestTo(at.name);
      const message = name
        ? `"${at.name}" isn't a standard event. Use "${name}".`
        : `"${at.name}" isn't a standard event. Send it with trackCustom.`;
      report({ at, message: message.slice(0, 200), ids: [at.name.slice(0, 80)] });
    }
  },
});
