import { term } from '../../model/message.ts';
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
    why: "These tags never fire, so the data that they're supposed to collect is missing.",
    fix: 'In Tag Manager, add a trigger to each tag, or delete the tag.',
    messages: {
      never_runs: 'Container {container} never fires {tags}.',
      never_runs_more: 'Container {container} has tags that never fire: {tags}, and {count} more.',
      never_runs_unknown_id: "One of the page's containers never fires {tags}.",
      never_runs_more_unknown_id: "One of the page's containers has tags that never fire: {tags}, and {count} more.",
    },
    sources: ['https://support.google.com/tagmanager/answer/7679316'],
  },
  check(page, report) {
    const tags = ofKind(page, 'container_tag').filter(
      ({ tag }) => tag.role === 'tag' && !tag.paused && tag.triggers.length === 0 && tag.sequencedBy.length === 0,
    );
    for (const [container, all] of groupBy(tags, s => s.container ?? '')) {
      const tags = all.slice(0, 10).map(({ tag: { number, type } }) => term('container_tag', { number, type }));
      const count = all.length - tags.length;
      report({
        at: all[0]!,
        ...(container
          ? count > 0
            ? { message: 'never_runs_more', values: { container, tags, count } }
            : { message: 'never_runs', values: { container, tags } }
          : count > 0
            ? { message: 'never_runs_more_unknown_id', values: { tags, count } }
            : { message: 'never_runs_unknown_id', values: { tags } }),
        ids: container ? [container] : [],
      });
    }
  },
});
