import { containers, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_datalayer_name_mismatch',
    title: 'Container reads a different data layer',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'Code pushes data to one data layer, but the container uses another. Typically, one of them is `dataLayer`, and the other has a custom name.',
    why: 'The container never receives the pushed data.',
    fix: 'Push to the data layer named in the container code.',
    messages: {
      mismatch: 'Code pushes to {pushed}, but the container reads {read}.',
    },
    sources: ['https://developers.google.com/tag-platform/tag-manager/datalayer'],
  },
  check(page, report) {
    const layers = new Set(containers(page).flatMap(s => (s.layer === null ? [] : [s.layer])));
    if (layers.size === 0) return;
    const reported = new Set<string>();
    for (const at of ofKind(page, 'layer')) {
      if (
        at.action !== 'push' ||
        at.conditional ||
        layers.has(at.name) ||
        reported.has(at.name) ||
        at.state === 'inert'
      )
        continue;
      reported.add(at.name);
      report({
        at,
        message: 'mismatch',
        values: { pushed: at.name, read: [...layers] },
        ids: [at.name, ...layers],
      });
    }
  },
});
