import { codeInits, coexisting, groupBy, isLive, lowestConfidence, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_multiple_ids',
    title: 'Multiple Meta pixels on one page',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'Live code initializes two or more pixel IDs, and then sends events. The finding is a note if all of these events use `trackSingle` or `trackSingleCustom`, which send to only one pixel.',
    why: "`track` sends events to every initialized pixel, so a former agency's pixel might still receive your shop's data.",
    fix: "Remove any ID that isn't yours, or send events with `trackSingle`.",
    messages: {
      events_to_all: 'The page initializes {count} Meta pixels ({ids}), and every event goes to all of them.',
      own_events: 'The page initializes {count} Meta pixels ({ids}) and sends separate events to each pixel.',
    },
    sources: ['https://developers.facebook.com/documentation/meta-pixel/guides/track-multiple-events.md'],
  },
  check(page, report) {
    const byId = groupBy(
      codeInits(page, 'meta').filter(s => s.api === 'fbq'),
      s => s.id.value,
    );
    const inits = coexisting([...byId.values()].map(all => all[0]!));
    if (inits.length < 2) return;
    const events = ofKind(page, 'event').filter(s => s.vendor === 'meta' && isLive(s));
    // An event goes to every pixel initialized before the event is sent.
    const toAll = events.some(
      s => (s.method === 'track' || s.method === 'trackCustom') && (s.state !== 'run' || s.order > inits[1]!.order),
    );
    if (!toAll && !events.some(s => s.method.startsWith('trackSingle'))) return;
    const ids = inits.map(s => s.id.value!);
    report({
      at: inits[1]!,
      message: toAll ? 'events_to_all' : 'own_events',
      values: { count: ids.length, ids },
      ids,
      severity: toAll ? 'warn' : 'info',
      confidence: lowestConfidence(...inits),
    });
  },
});
