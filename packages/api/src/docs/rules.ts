import {
  type ContextMeta,
  contextMetas,
  driftRules,
  localizeRule,
  pageRules,
  type RuleMeta,
  reportText,
  type Severity,
} from '@compliance/core/pixel';
import { en, type Translation } from '@compliance/translations';
import { html } from 'hono/html';
import { type Html, pathIn } from '../pages/page.ts';
import { type DocSection, sectionsHtml, sectionsMarkdown } from './doc-section.ts';

const TONES = { error: 'bad', warn: 'warn', info: '' } as const;

const rules = [...pageRules, ...driftRules].map(({ meta }) => meta);
const GROUPS = [
  { title: 'page_rules', metas: pageRules.map(({ meta }) => meta) },
  { title: 'drift_rules', metas: driftRules.map(({ meta }) => meta) },
  { title: 'limitations', metas: contextMetas },
] as const;

/** A page in the rule documentation, with its language and the path of its English version. */
interface LocalizedPage {
  readonly title: string;
  readonly body: Html;
  readonly language: { readonly translation: Translation; readonly path: string };
}

/** Renders the list of all rules and context findings in a language. */
export function rulesPage(translation: Translation): LocalizedPage {
  const { pages: text } = translation;
  const body = html`<div class="prose-page">
<div class="heading"><h1>${text.title}</h1>
<p class="lead">${text.lead}</p></div>
${GROUPS.map(
  ({ title, metas }) =>
    html`<section><h2>${text[title]}</h2><ul class="rows">${metas.map(meta => ruleRow(meta, translation))}</ul></section>\n`,
)}</div>`;
  return { title: textOf('title', translation), body, language: { translation, path: RULES_PATH } };
}

const RULES_PATH = '/docs/rules';

/** Returns a page string, or the English string if there's no translation. */
const textOf = (id: string, { pages }: Translation): string => pages[id] ?? en.pages[id] ?? id;

function ruleRow(meta: RuleMeta | ContextMeta, translation: Translation): Html {
  const { id, title } = localizeRule(meta, translation);
  const link = html`<a href="${pathOf(id, translation)}">${title}</a>`;
  return html`<li><div class="between">${
    'severity' in meta ? html`<span>${badge(meta.severity, translation)} ${link}</span>` : link
  }<code class="small quiet">${id}</code></div></li>\n`;
}

/**
 * Returns the path of a rule's page. Links from English pages don't specify a language, because English is the default.
 */
function pathOf(id: string | null, { locale }: Translation): string {
  const path = id === null ? RULES_PATH : `${RULES_PATH}/${id}`;
  return locale === 'en' ? path : pathIn(path, locale);
}

const badge = (severity: Severity, translation: Translation): Html =>
  html`<span class="badge ${TONES[severity]}">${reportText(translation)(severity)}</span>`;

/** Renders the page for a rule or context finding in a language, or returns `null` if the ID is unknown. */
export function rulePage(id: string, translation: Translation): LocalizedPage | null {
  const language = { translation, path: `${RULES_PATH}/${id}` };
  const rule = rules.find(meta => meta.id === id);
  if (rule) {
    const meta = localizeRule(rule, translation);
    return { title: meta.title, body: ruleBody(meta, translation), language };
  }
  const context = contextMetas.find(meta => meta.id === id);
  if (!context) return null;
  const meta = localizeRule(context, translation);
  return { title: meta.title, body: contextBody(meta, translation), language };
}

function ruleBody(meta: RuleMeta, translation: Translation): Html {
  const { severity, escalates } = meta;
  const now = badge(severity, translation);
  return html`<article class="prose-page">
${heading(meta, translation)}
<dl class="facts">
<div><dt>${reportText(translation)('severity')}</dt><dd>${escalates ? untilHtml(now, escalates, translation) : now}</dd></div>
${factsOf(meta, translation).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${sectionsHtml(ruleSections(meta, translation))}</article>`;
}

/** Renders a severity that changes on a specified date, using the language's word order. */
function untilHtml(now: Html, { on, to }: NonNullable<RuleMeta['escalates']>, translation: Translation): Html {
  const values: Readonly<Record<string, Html | string>> = { severity: now, date: on, later: badge(to, translation) };
  const parts = textOf('until', translation).split(/\{(\w+)\}/);
  return html`${parts.map((part, i) => (i % 2 === 1 ? (values[part] ?? '') : part))}`;
}

function contextBody(meta: ContextMeta, translation: Translation): Html {
  return html`<article class="prose-page">
${heading(meta, translation)}
<p class="notice">${textOf('context_notice', translation)}</p>
${sectionsHtml(contextSections(meta, translation))}</article>`;
}

function heading({ id, title }: { id: string; title: string }, translation: Translation): Html {
  return html`<div class="heading"><p class="crumb"><a href="${pathOf(null, translation)}">${textOf('rules', translation)}</a></p><h1>${title}</h1><p class="mono quiet">${id}</p></div>`;
}

function factsOf({ since, owner }: RuleMeta, translation: Translation): [name: string, value: string][] {
  const t = reportText(translation);
  return [...(since === null ? [] : ([[t('since'), since]] as [string, string][])), [t('fix_in'), t(`owner_${owner}`)]];
}

function ruleSections({ what, why, fix, fixHeadless, sources }: RuleMeta, translation: Translation): DocSection[] {
  const headless = textOf('headless', translation).replace('{fix}', () => fixHeadless ?? '');
  return [
    { title: textOf('what', translation), blocks: [{ text: what }] },
    { title: textOf('why', translation), blocks: [{ text: why }] },
    {
      title: textOf('how', translation),
      blocks: [{ text: fix }, ...(fixHeadless === undefined ? [] : [{ text: headless }])],
    },
    { title: textOf('sources', translation), blocks: [{ list: sources, lang: 'en' }] },
  ];
}

const contextSections = ({ what, fix }: ContextMeta, translation: Translation): DocSection[] => [
  { title: textOf('what', translation), blocks: [{ text: what }] },
  { title: textOf('what_to_do', translation), blocks: [{ text: fix }] },
];

/**
 * Renders the pages for all rules and context findings. Returns each page's Markdown, keyed by filename.
 *
 * @example rulesMarkdown()['gtm_not_in_head.md'] // '[Rules](README.md)\n\n# Tag Manager loaded in the body\n…'
 */
export function rulesMarkdown(): Record<string, string> {
  const t = reportText(en);
  const row = (meta: RuleMeta | ContextMeta): string =>
    `- [${meta.title}](${meta.id}.md) · \`${meta.id}\`${'severity' in meta ? ` · ${t(meta.severity)}` : ''}`;
  const groups = GROUPS.map(({ title, metas }) => `## ${textOf(title, en)}\n\n${metas.map(row).join('\n')}`);
  const pages: [string, string[]][] = [
    ['README', [`# ${textOf('title', en)}`, textOf('lead', en), ...groups]],
    ...rules.map((meta): [string, string[]] => [
      meta.id,
      [...headingMarkdown(meta), factsMarkdown(meta), sectionsMarkdown(ruleSections(meta, en))],
    ]),
    ...contextMetas.map((meta): [string, string[]] => [
      meta.id,
      [...headingMarkdown(meta), textOf('context_notice', en), sectionsMarkdown(contextSections(meta, en))],
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
  const t = reportText(en);
  const then = escalates ? ` until ${escalates.on}, then ${t(escalates.to)}` : '';
  return [['Severity', `${t(severity)}${then}`], ...factsOf(meta, en)]
    .map(([name, value]) => `- ${name}: ${value}`)
    .join('\n');
}
