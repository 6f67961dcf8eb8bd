import { containers, groupBy, isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_noscript_problem',
    title: "Tag Manager's frame for browsers without scripts is missing or misplaced",
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'Three forms: `missing`, a container without its noscript frame (info); `in_head`, the frame stands in the head; `noscript_only`, a frame whose container never starts.',
    why: 'In the head the frame ends the head early for browsers without scripts. Without its script a container does nothing for everyone else.',
    fix: 'Put the frame right after the opening body tag, one for each container that starts.',
    sources: ["Google's install dialog for Tag Manager"],
  },
  check(evidence, report) {
    const frames = ofKind(evidence, 'frame').filter(f => f.inNoscript);
    const started = containers(evidence).filter(s => s.channel === 'theme');
    const framed = new Set(frames.map(f => f.id));
    for (const [id, all] of groupBy(started, s => s.id)) {
      if (!framed.has(id))
        report({
          at: all[0]!,
          message: `Container ${id} has no frame for browsers without scripts.`,
          ids: [id],
          variant: 'missing',
          severity: 'info',
        });
    }
    const startedIds = new Set(
      ofKind(evidence, 'loader')
        .filter(s => s.library === 'gtm' && isPresent(s))
        .map(s => s.id),
    );
    for (const [id, all] of groupBy(frames, f => f.id)) {
      const inHead = all.find(f => f.position === 'head');
      if (inHead)
        report({
          at: inHead,
          message: `The frame of container ${id} stands in the head.`,
          ids: [id],
          variant: 'in_head',
        });
      if (startedIds.has(id)) continue;
      // A container whose id is not written in the page may be this one.
      const hidden = startedIds.has(null);
      report({
        at: all[0]!,
        message: `Container ${id} has a frame for browsers without scripts, but does not start.`,
        ids: [id],
        variant: 'noscript_only',
        severity: hidden ? 'info' : 'warn',
      });
    }
  },
});
