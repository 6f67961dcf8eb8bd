import { containers } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_not_in_head',
    title: 'Tag Manager loaded in the body',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'When a browser parses the page, it places the container code in the body. The finding is a note if the container loads later, for example after a delay or after the visitor consents.',
    why: "Visitors who leave before the container loads aren't counted. Google recommends placing the container code as high in the head as possible.",
    fix: 'Move the container code to the top of the head.',
    messages: {
      in_body: 'Container {id} is loaded in the body.',
      in_body_unknown_id: 'A container is loaded in the body.',
    },
    sources: [
      'Installation instructions in Google Tag Manager',
      'https://developers.google.com/adwords-remarketing-tag',
    ],
  },
  check(page, report) {
    const reported = new Set<string>();
    for (const at of containers(page)) {
      if (at.position !== 'body' || at.channel !== 'theme' || at.state === 'inert' || reported.has(at.id ?? ''))
        continue;
      reported.add(at.id ?? '');
      report({
        at,
        ...(at.id ? { message: 'in_body', values: { id: at.id } } : { message: 'in_body_unknown_id' }),
        ids: at.id ? [at.id] : [],
        severity: at.state === 'run' ? 'warn' : 'info',
      });
    }
  },
});
