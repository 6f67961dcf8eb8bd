import { containers, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_datalayer_overwritten',
    title: 'Data layer overwritten after Tag Manager loads',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'Top-level code assigns a new value to the data layer after the container code runs.',
    why: 'Tag Manager keeps listening to the old data layer, so everything that is pushed after the overwrite is lost.',
    fix: 'Use `dataLayer.push(…)`, or move the assignment before the container code.',
    messages: {
      overwritten: '{layer} is overwritten after the container loads.',
    },
    sources: ['https://developers.google.com/tag-platform/tag-manager/datalayer'],
  },
  check(page, report) {
    const started = containers(page).filter(s => s.state === 'run' && s.layer !== null);
    for (const at of ofKind(page, 'layer')) {
      if (at.action !== 'overwrite' || at.conditional || at.state !== 'run') continue;
      const container = started.find(s => s.layer === at.name && s.order < at.order);
      if (container)
        report({
          at,
          message: 'overwritten',
          values: { layer: at.name },
          ids: container.id ? [container.id] : [],
        });
    }
  },
});
