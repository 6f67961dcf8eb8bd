import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_script_tag_injected',
    title: 'Apps inject scripts in a way that is ending',
    severity: 'warn',
    escalates: { on: '2027-03-01', to: 'error' },
    since: '2026-10-01',
    owner: 'app',
    what: "Shopify's list of ScriptTags on the page is not empty.",
    why: 'Since 2026-10-01 apps can neither create nor change ScriptTags. On 2027-03-01 Shopify stops putting them into storefronts.',
    fix: 'Ask the makers of the apps for an app embed or a web pixel.',
    sources: ['https://shopify.dev/changelog/online-store-script-tags-deprecation'],
  },
  check(evidence, report) {
    const tags = ofKind(evidence, 'script_tag');
    const [at] = tags;
    if (!at) return;
    const hosts = [...new Set(tags.map(s => s.company ?? s.host).filter(Boolean))];
    const shown = hosts.slice(0, 8).join(', ');
    report({
      at,
      message: `${hosts.length === 1 ? 'One app injects' : `${hosts.length} sources inject`} scripts: ${shown}.`,
      ids: [...new Set(tags.map(s => s.host))].slice(0, 30),
    });
  },
});
