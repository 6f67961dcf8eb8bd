import { containers } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_not_in_head',
    title: 'Tag Manager starts in the body',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The container snippet stands in the body, where the browser put it. An info when its start is delayed on purpose.',
    why: 'Visitors who leave before it starts are not counted. Google asks for it as high in the head as possible.',
    fix: 'Move the snippet to the top of the head.',
    sources: ["Google's install dialog for Tag Manager", 'https://developers.google.com/adwords-remarketing-tag'],
  },
  check(evidence, report) {
    const told = new Set<string>();
    for (const at of containers(evidence)) {
      if (at.position !== 'body' || at.channel !== 'theme' || at.state === 'inert' || told.has(at.id ?? '')) continue;
      told.add(at.id ?? '');
      report({
        at,
        message: `Container ${at.id ?? ''} starts in the body.`.replace('  ', ' '),
        ids: at.id ? [at.id] : [],
        severity: at.state === 'run' ? 'warn' : 'info',
      });
    }
  },
});
