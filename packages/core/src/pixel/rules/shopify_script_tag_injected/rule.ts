import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_script_tag_injected',
    title: 'Apps inject ScriptTags, which Shopify is retiring',
    severity: 'warn',
    escalates: { on: '2027-03-01', to: 'error' },
    since: '2026-10-01',
    owner: 'app',
    what: 'The page lists at least one ScriptTag that Shopify adds for an app.',
    why: "Apps haven't been able to create or change ScriptTags since October 1, 2026. On March 1, 2027, Shopify will stop adding ScriptTags to storefronts.",
    fix: 'Ask the app developers for a theme app extension (app embed) or a web pixel.',
    messages: {
      one: '1 source injects scripts: {sources}.',
      several: '{count} sources inject scripts: {sources}.',
    },
    sources: ['https://shopify.dev/changelog/online-store-script-tags-deprecation'],
  },
  check(page, report) {
    const tags = ofKind(page, 'script_tag');
    const [at] = tags;
    if (!at) return;
    const hosts = [...new Set(tags.map(s => s.company ?? s.host).filter(Boolean))];
    const sources = hosts.slice(0, 8);
    report({
      at,
      ...(hosts.length === 1
        ? { message: 'one', values: { sources } }
        : { message: 'several', values: { count: hosts.length, sources } }),
      ids: [...new Set(tags.map(s => s.host))].filter(Boolean).slice(0, 30),
    });
  },
});
