import { containers, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_datalayer_overwritten',
    title: 'The data layer is replaced after Tag Manager has started',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'Code at the top level gives the data layer a new value after the container snippet.',
    why: 'Tag Manager listens on the old one. Everything pushed afterwards is lost.',
    fix: 'Use dataLayer.push(…), or set the layer before the snippet.',
    sources: ['https://developers.google.com/tag-platform/tag-manager/datalayer'],
  },
  check(evidence, report) {
    const started = containers(evidence).filter(s => s.state === 'run' && s.layer !== null);
    for (const at of ofKind(evidence, 'layer')) {
      if (at.action !== 'overwrite' || at.conditional || at.state !== 'run') continue;
      const container = started.find(s => s.layer === at.name && s.order < at.order);
      if (container)
        report({
          at,
          message: `${at.name} is replaced after the container has started.`,
          ids: container.id ? [container.id] : [],
        });
    }
  },
});
