import { codeInits, groupBy, isLive, ofKind, together, weakest } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_multiple_ids',
    title: 'Several Meta pixels on one page',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'Live code starts two or more pixel ids and sends events with `track`. With `trackSingle` alone it is an info.',
    why: "`track` goes to every pixel that was started. A former agency's pixel keeps getting the shop's data.",
    fix: 'Remove the foreign id, or send with `trackSingle`.',
    sources: ['https://developers.facebook.com/documentation/meta-pixel/guides/track-multiple-events.md'],
  },
  check(evidence, report) {
    const byId = groupBy(
      codeInits(evidence, 'meta').filter(s => s.api === 'fbq'),
      s => s.id.value,
    );
    const inits = together([...byId.values()].map(all => all[0]!));
    if (inits.length < 2) return;
    const events = ofKind(evidence, 'event').filter(s => s.vendor === 'meta' && isLive(s));
    const toAll = events.some(s => s.method === 'track' || s.method === 'trackCustom');
    if (!toAll && !events.some(s => s.method.startsWith('trackSingle'))) return;
    const ids = inits.map(s => s.id.value!);
    const message = `${ids.length} Meta pixels are started (${ids.join(', ')})${toAll ? ' and every event goes to all of them' : ', each sent its own events'}.`;
    report({ at: inits[1]!, message, ids, severity: toAll ? 'warn' : 'info', confidence: weakest(...inits) });
  },
});
