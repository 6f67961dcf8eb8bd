import { containers, excludeEachOther, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'google_consent_default_late',
    title: 'The consent default comes after the tag',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The first `gtag("consent", "default")` runs after the first config or after a container has started.',
    why: 'The tag has already measured as if consent were given.',
    fix: 'Set the default before any config and before the container snippet.',
    sources: ['https://developers.google.com/tag-platform/security/guides/consent'],
  },
  check(evidence, report) {
    const at = ofKind(evidence, 'consent').find(
      s => s.vendor === 'google' && s.command === 'default' && s.state === 'run',
    );
    if (!at) return;
    const configs = ofKind(evidence, 'init').filter(s => s.api === 'gtag' && s.state === 'run');
    const first = [...configs, ...containers(evidence).filter(s => s.state === 'run' && s.channel === 'theme')].find(
      s => s.order < at.order && !excludeEachOther(s, at) && !s.where.source.startsWith('script#'),
    );
    if (!first) return;
    const id = first.kind === 'init' ? first.id.value : first.id;
    report({
      at,
      message: `The consent default is set after ${id ?? 'the first tag'} has started.`,
      ids: id ? [id] : [],
    });
  },
});
