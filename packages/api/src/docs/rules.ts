import { type ContextMeta, contextMetas, driftRules, pageRules, type RuleMeta } from '@compliance/core/pixel';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
import { type DocSection, sectionsHtml, sectionsMarkdown } from './doc-section.ts';

const TONES = { error: 'bad', warn: 'warn', info: '' } as const;
const SEVERITIES = { error: 'Error', warn: 'Warning', info: 'Note' } as const;
const OWNERS: Record<RuleMeta['owner'], string> = {
  theme: 'Theme code',
  shopify_admin: 'Shopify admin',
  app: 'App settings',
  gtm: 'Tag Manager container',
  checkout: 'Checkout settings',
};

const TITLE = 'Scan rules';
const LEAD =
  'Learn which problems a scan detects, why they matter, and how to fix them. An error means that data is lost, incorrect, or exposed. ' +
  "A warning identifies another problem worth fixing. A note is informational and doesn't lower the score.";
const CONTEXT_NOTICE =
  "This note describes the scan itself and doesn't lower the score. Notes like this one identify content that the scan couldn't inspect, or a type of page that affects the results.";

const rules = [...pageRules, ...driftRules].map(({ meta }) => meta);
const GROUPS = [
  { title: 'Rules for a single page', metas: pageRules.map(({ meta }) => meta) },
  { title: 'Rules for changes between two scans', metas: driftRules.map(({ meta }) => meta) },
  { title: 'Scan limitations', metas: contextMetas },
] as const;

/** Renders the list of all rules and context findings. */
export function rulesPage(): Html {
  return html`<div class="prose-page">
<div class="heading"><h1>${TITLE}</h1>
<p class="lead">${LEAD}</p></div>
${GROUPS.map(
  ({ title, metas }) => html`<section><h2>${title}</h2><ul class="rows">${metas.map(ruleRow)}</ul></section>\n`,
)}</div>`;
}

function ruleRow(meta: RuleMeta | ContextMeta): Html {
  const { id, title } = meta;
  const link = html`<a href="/docs/rules/${id}">${title}</a>`;
  return html`<li><div class="between">${
    'severity' in meta ? html`<span>${badge(meta.severity)} ${link}</span>` : link
  }<code class="small quiet">${id}</code></div></li>\n`;
}

const badge = (severity: RuleMeta['severity']): Html =>
  html`<span class="badge ${TONES[severity]}">${SEVERITIES[severity]}</span>`;

/** Renders the page for a rule or context finding, or returns `null` if the ID is unknown. */
export function rulePage(id: string): { title: string; body: Html } | null {
  const rule = rules.find(meta => meta.id === id);
  if (rule) return { title: rule.title, body: ruleBody(rule) };
  const context = contextMetas.find(meta => meta.id === id);
  return context ? { title: context.title, body: contextBody(context) } : null;
}

function ruleBody(meta: RuleMeta): Html {
  const { severity, escalates } = meta;
  return html`<article class="prose-page">
${heading(meta)}
<dl class="facts">
<div><dt>Severity</dt><dd>${badge(severity)}${escalates && html` until ${escalates.on}, then ${badge(escalates.to)}`}</dd></div>
${factsOf(meta).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${sectionsHtml(ruleSections(meta))}</article>`;
}

function contextBody(meta: ContextMeta): Html {
  return html`<article class="prose-page">
${heading(meta)}
<p class="notice">${CONTEXT_NOTICE}</p>
${sectionsHtml(contextSections(meta))}</article>`;
}

function heading({ id, title }: { id: string; title: string }): Html {
  return html`<div class="heading"><p class="crumb"><a href="/docs/rules">Rules</a></p><h1>${title}</h1><p class="mono quiet">${id}</p></div>`;
}

const factsOf = ({ since, owner }: RuleMeta): [name: string, value: string][] => [
  ...(since === null ? [] : ([['In effect since', since]] as [string, string][])),
  ['Where to fix it', OWNERS[owner]],
];

const ruleSections = ({ what, why, fix, fixHeadless, sources }: RuleMeta): DocSection[] => [
  { title: 'What it means', blocks: [{ text: what }] },
  { title: 'Why it matters', blocks: [{ text: why }] },
  {
    title: 'How to fix it',
    blocks: [
      { text: fix },
      ...(fixHeadless === undefined ? [] : [{ text: `On a headless storefront: ${fixHeadless}` }]),
    ],
  },
  { title: 'Sources', blocks: [{ list: sources }] },
];

const contextSections = ({ what, fix }: ContextMeta): DocSection[] => [
  { title: 'What it means', blocks: [{ text: what }] },
  { title: 'What to do', blocks: [{ text: fix }] },
];

/**
 * Renders the pages for all rules and context findings. Returns each page's Markdown, keyed by filename.
 *
 * @example rulesMarkdown()['gtm_not_in_head.md'] // '[Rules](README.md)\n\n# Tag Manager loaded in the body\n…'
 */
export function rulesMarkdown(): Record<string, string> {
  const row = (meta: RuleMeta | ContextMeta): string =>
    `- [${meta.title}](${meta.id}.md) · \`${meta.id}\`${'severity' in meta ? ` · ${SEVERITIES[meta.severity]}` : ''}`;
  const groups = GROUPS.map(({ title, metas }) => `## ${title}\n\n${metas.map(row).join('\n')}`);
  const pages: [string, string[]][] = [
    ['README', [`# ${TITLE}`, LEAD, ...groups]],
    ...rules.map((meta): [string, string[]] => [
      meta.id,
      [...headingMarkdown(meta), factsMarkdown(meta), sectionsMarkdown(ruleSections(meta))],
    ]),
    ...contextMetas.map((meta): [string, string[]] => [
      meta.id,
      [...headingMarkdown(meta), CONTEXT_NOTICE, sectionsMarkdown(contextSections(meta))],
    ]),
  ];
  return Object.fromEntries(pages.map(([name, parts]) => [`${name}.md`, `${parts.join('\n\n')}\n`]));
}

const headingMarkdown = ({ id, title }: { id: string; title: string }): string[] => [
  '[Rules](README.md)',
  `# ${title}`,
  `\`${id}\``,
];

function factsMarkdown(meta: RuleMeta): string {
  const { severity, escalates } = meta;
  const then = escalates ? ` until ${escalates.on}, then ${SEVERITIES[escalates.to]}` : '';
  return [['Severity', `${SEVERITIES[severity]}${then}`], ...factsOf(meta)]
    .map(([name, value]) => `- ${name}: ${value}`)
    .join('\n');
}
