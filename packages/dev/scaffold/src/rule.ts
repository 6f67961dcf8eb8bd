import type { Scaffold } from './scaffold.ts';

/**
 * Scaffold for a scan rule, such as `gtm_not_in_head`. The name of a rule that compares two scans, such as
 * `drift_tag_added`, starts with `drift_`.
 */
export default {
  name: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/,
  example: 'gtm_not_in_head (lowercase words joined by underscores)',
  next: `Edit these files, then run: pnpm gen && pnpm test
The rule works in every language immediately, with English strings. When the strings are final, translate them in
packages/translations/src/*/rules.json. Until then, only the translation tests fail, and they list the missing strings.`,
  files(name) {
    const files = name.startsWith('drift_') ? driftRule(name) : pageRule(name);
    return Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`packages/core/src/pixel/rules/${name}/${path}`, text]),
    );
  },
} satisfies Scaffold;

function meta(name: string, message: string): string {
  return `  meta: {
    id: '${name}',
    title: 'TODO: name the problem',
    severity: 'info',
    since: null,
    owner: 'theme',
    what: 'TODO: describe what the rule reports.',
    why: 'TODO: explain the cost to the merchant.',
    fix: 'TODO: describe how to fix it.',
    messages: { found: '${message}' },
    sources: ['TODO: link to the vendor documentation'],
  },`;
}

function pageRule(name: string): Record<string, string> {
  return {
    'rule.ts': `import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
${meta(name, 'TODO: describe the finding.')}
  check(page, report) {
    for (const at of ofKind(page, 'event')) {
      if (at.name === '${name}' && isPresent(at)) report({ at, message: 'found' });
    }
  },
});
`,
    'fixtures/fires-example.html': `<script>gtag('event', '${name}')</script>\n`,
    'fixtures/silent-comment.html': `<!-- <script>gtag('event', '${name}')</script> -->\n`,
  };
}

function driftRule(name: string): Record<string, string> {
  return {
    'rule.ts': `import { defineDriftRule } from '../../model/rule.ts';

export default defineDriftRule({
${meta(name, 'TODO: describe the change ({from} → {to}).')}
  compare(change, report) {
    for (const { id } of change.added) {
      if (id === '100000000000001') report({ message: 'found', ids: [id] });
    }
  },
});
`,
    'fixtures/fires-example.before.html': '<p>No tags</p>\n',
    'fixtures/fires-example.after.html': "<script>fbq('init', '100000000000001')</script>\n",
    'fixtures/silent-unchanged.before.html': "<script>fbq('init', '100000000000001')</script>\n",
    'fixtures/silent-unchanged.after.html': "<script>fbq('init', '100000000000001')</script>\n",
  };
}
