import { type ContextMeta, contextMetas, driftRules, pageRules, type RuleMeta } from '@compliance/core/pixel';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
import { linked } from '../pages/prose.ts';

const TONES = { error: 'bad', warn: 'warn', info: '' } as const;
const WORDS = { error: 'Error', warn: 'Warning', info: 'Note' } as const;
const OWNERS: Record<RuleMeta['owner'], string> = {
  theme: 'Whoever keeps the theme’s code',
  shopify_admin: 'Whoever keeps the Shopify admin',
  app: 'Whoever keeps the app’s settings',
  gtm: 'Whoever keeps the Tag Manager container',
  checkout: 'Whoever keeps the checkout settings',
};

const rules = [...pageRules, ...driftRules].map(({ meta }) => meta);

/** Every rule and every context finding, in three groups. */
export function rulesPage(): Html {
  return html`<div class="prose-page">
<div class="heading"><h1>Rules of the scan</h1>
<p class="lead">What a scan looks for, why it matters, and how to put it right. Errors lose data or give it away, warnings are worth mending, notes are good to know and cost no points.</p></div>
<section><h2>On one page</h2>${ruleList(pageRules.map(({ meta }) => meta))}</section>
<section><h2>Between two scans</h2>${ruleList(driftRules.map(({ meta }) => meta))}</section>
<section><h2>What a scan could not see</h2><ul class="rows">${contextMetas.map(
    ({ id, title }) =>
      html`<li><div class="between"><a href="/docs/rules/${id}">${title}</a><code class="small quiet">${id}</code></div></li>\n`,
  )}</ul></section>
</div>`;
}

function ruleList(metas: readonly RuleMeta[]): Html {
  return html`<ul class="rows">${metas.map(
    ({ id, title, severity }) =>
      html`<li><div class="between"><span><span class="badge ${TONES[severity]}">${WORDS[severity]}</span> <a href="/docs/rules/${id}">${title}</a></span><code class="small quiet">${id}</code></div></li>\n`,
  )}</ul>`;
}

/** The page of a rule or of a context finding; null for an id that is neither. */
export function rulePage(id: string): { title: string; body: Html } | null {
  const rule = rules.find(meta => meta.id === id);
  if (rule) return { title: rule.title, body: ruleBody(rule) };
  const context = contextMetas.find(meta => meta.id === id);
  return context ? { title: context.title, body: contextBody(context) } : null;
}

function ruleBody(meta: RuleMeta): Html {
  const { severity, escalates, since, owner } = meta;
  return html`<article class="prose-page">
${heading(meta)}
<dl class="facts">
<div><dt>Severity</dt><dd><span class="badge ${TONES[severity]}">${WORDS[severity]}</span>${escalates && html` until ${escalates.on}, then <span class="badge ${TONES[escalates.to]}">${WORDS[escalates.to]}</span>`}</dd></div>
<div><dt>In force since</dt><dd>${since ?? 'always'}</dd></div>
<div><dt>Who can put it right</dt><dd>${OWNERS[owner]}</dd></div>
</dl>
<section><h2>What it is</h2><p>${meta.what}</p></section>
<section><h2>Why it matters</h2><p>${meta.why}</p></section>
<section><h2>How to put it right</h2><p>${meta.fix}</p>${meta.fixHeadless !== undefined && html`<p>On a headless storefront: ${meta.fixHeadless}</p>`}</section>
<section><h2>Sources</h2><ul>${meta.sources.map(source => html`<li>${linked(source)}</li>`)}</ul></section>
</article>`;
}

function contextBody(meta: ContextMeta): Html {
  return html`<article class="prose-page">
${heading(meta)}
<p class="notice">A note about the scan itself. It costs no points, and says that something was not seen or is of another kind.</p>
<section><h2>What it is</h2><p>${meta.what}</p></section>
<section><h2>What to do</h2><p>${meta.fix}</p></section>
</article>`;
}

function heading({ id, title }: { id: string; title: string }): Html {
  return html`<div class="heading"><p class="crumb"><a href="/docs/rules">Rules</a></p><h1>${title}</h1><p class="mono quiet">${id}</p></div>`;
}
