import { groupBy, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_tag_without_trigger',
    title: 'Container tags without a trigger',
    severity: 'info',
    since: null,
    owner: 'gtm',
    what: "A container has tags that don't have a trigger and aren't setup or cleanup tags. Paused tags are ignored.",
    why: 'These tags never run, so the data that they should collect is missing.',
    fix: 'In Tag Manager, add a trigger to each tag, or delete the tag.',
    sources: ['https://support.google.com/tagmanager/answer/7679316'],
  },
  check(page, report) {
    const tags = ofKind(page, 'container_tag').filter(
      ({ tag }) => tag.role === 'tag' && !tag.paused && tag.triggers.length === 0 && tag.sequencedBy.length === 0,
    );
    for (const [container, all] of groupBy(tags, s => s.container ?? '')) {
      const names = all.slice(0, 10).map(({ tag }) => `tag ${tag.number} (${tag.type})`);
      const more = all.length > names.length ? `, and ${all.length - names.length} more` : '';
      report({
        at: all[0]!,
        message: `${container ? `Container ${container}` : 'A container'} never runs ${names.join(', ')}${more}.`,
        ids: container ? [container] : [],
      });
    }
  },
});
