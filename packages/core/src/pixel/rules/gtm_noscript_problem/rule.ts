import { containers, groupBy, isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_noscript_problem',
    title: 'Tag Manager noscript fallback missing or misplaced',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "In the `missing` variant, a container doesn't have a `<noscript>` iframe. Its findings are notes. In the `in_head` variant, the iframe is in the head. In the `noscript_only` variant, the page has an iframe for a container that never loads.",
    why: 'In browsers without JavaScript, an iframe in the head closes the `<head>` element prematurely. In browsers with JavaScript, a container without its script does nothing.',
    fix: 'Immediately after the opening `<body>` tag, put one `<noscript>` iframe for each container that loads.',
    messages: {
      missing: "Container {id} doesn't have a <noscript> fallback.",
      in_head: 'The <noscript> fallback for container {id} is in the head.',
      noscript_only: "Container {id} has a <noscript> fallback but doesn't load.",
    },
    sources: ['Installation instructions in Google Tag Manager'],
  },
  check(page, report) {
    const fallbacks = ofKind(page, 'frame').filter(f => f.inNoscript);
    const started = containers(page).filter(s => s.channel === 'theme');
    const withFallback = new Set(fallbacks.map(f => f.id));
    for (const [id, all] of groupBy(started, s => s.id)) {
      if (!withFallback.has(id))
        report({
          at: all[0]!,
          message: 'missing',
          values: { id },
          ids: [id],
          variant: 'missing',
          severity: 'info',
        });
    }
    const startedIds = new Set(
      ofKind(page, 'loader')
        .filter(s => s.library === 'gtm' && isPresent(s))
        .map(s => s.id),
    );
    for (const [id, all] of groupBy(fallbacks, f => f.id)) {
      const inHead = all.find(f => f.position === 'head');
      if (inHead)
        report({
          at: inHead,
          message: 'in_head',
          values: { id },
          ids: [id],
          variant: 'in_head',
        });
      if (startedIds.has(id)) continue;
      // The page might load this container with an ID that the scan couldn't resolve.
      const hidden = startedIds.has(null);
      report({
        at: all[0]!,
        message: 'noscript_only',
        values: { id },
        ids: [id],
        variant: 'noscript_only',
        severity: hidden ? 'info' : 'warn',
      });
    }
  },
});
