import { containers, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_datalayer_name_mismatch',
    title: 'Code pushes to another data layer than the container reads',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The container was started with a renamed data layer, and code pushes to `dataLayer`, or the reverse.',
    why: 'The container never sees what is pushed.',
    fix: 'Push to the layer the snippet names.',
    sources: ['https://developers.google.com/tag-platform/tag-manager/datalayer'],
  },
  check(evidence, report) {
    const layers = new Set(containers(evidence).flatMap(s => (s.layer === null ? [] : [s.layer])));
    if (layers.size === 0) return;
    const told = new Set<string>();
    for (const at of ofKind(evidence, 'layer')) {
      if (at.action !== 'push' || at.conditional || layers.has(at.name) || told.has(at.name) || at.state === 'inert')
        continue;
      told.add(at.name);
      report({
        at,
        message: `Code pushes to ${at.name}, the container reads ${[...layers].join(', ')}.`,
        ids: [at.name, ...layers],
      });
    }
  },
});
