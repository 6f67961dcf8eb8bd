import { areMutuallyExclusive, containers, isInContainer, isScriptElement, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'google_consent_default_late',
    title: 'Consent default set after the tag loads',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: "The first `gtag('consent', 'default')` call runs after the first `gtag('config')` call or after a container loads.",
    why: 'Until the consent default is set, the tag collects data as if the visitor had given consent.',
    fix: "Set the consent default before any `gtag('config')` call and before the container code.",
    messages: {
      after_tag: 'The consent default is set after {id} loads.',
      after_first_tag: 'The consent default is set after the first tag loads.',
    },
    sources: ['https://developers.google.com/tag-platform/security/guides/consent'],
  },
  check(page, report) {
    const at = ofKind(page, 'consent').find(s => s.vendor === 'google' && s.command === 'default' && s.state === 'run');
    if (!at) return;
    const configs = ofKind(page, 'init').filter(s => s.api === 'gtag' && s.state === 'run');
    // A container can set the consent default only after it loads, so ignore the containers' load order.
    const loaders = isInContainer(at) ? [] : containers(page).filter(s => s.state === 'run' && s.channel === 'theme');
    const first = [...configs, ...loaders].find(
      s => s.order < at.order && !areMutuallyExclusive(s, at) && !isScriptElement(s),
    );
    if (!first) return;
    const id = first.kind === 'init' ? first.id.value : first.id;
    report({
      at,
      ...(id === null ? { message: 'after_first_tag' } : { message: 'after_tag', values: { id } }),
      ids: id ? [id] : [],
    });
  },
});
