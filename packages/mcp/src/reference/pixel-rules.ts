import {
  type ContextMeta,
  contextMetas,
  driftRules,
  pageRules,
  RULES_KNOWN_THROUGH,
  type RuleMeta,
} from '@compliance/core/pixel';
import { bullets, markdown, type ReferencePage, type ReferenceSection } from './page.ts';

const URI = 'compliance://rules/pixel';
const rules = [...pageRules, ...driftRules].map(({ meta }) => meta);

const pages: ReadonlyMap<string, ReferencePage> = new Map(
  [...rules.map(rulePage), ...contextMetas.map(contextPage)].map(page => [page.id, page]),
);

/** Scan rules. */
export const pixelRules: ReferenceSection = {
  name: 'pixel-rules',
  title: 'Scan rules',
  description: 'Storefront scan rules and their severities. Read a rule at compliance://rules/pixel/{id}.',
  uri: URI,
  index: () =>
    markdown(
      '# Scan rules',
      bullets([
        ...rules.map(({ id, title, severity }) => `\`${id}\` (${severity}): ${title}`),
        ...contextMetas.map(({ id, title }) => `\`${id}\` (info): ${title}`),
      ]),
    ),
  ids: () => pages.keys(),
  page: id => pages.get(id),
};

function rulePage(meta: RuleMeta): ReferencePage {
  const { id, title, severity, escalates, since, owner, what, why, fix, fixHeadless, sources } = meta;
  const rises = escalates ? `, and ${escalates.to} from ${escalates.on}` : '';
  return {
    ...identity(id, title),
    sources,
    markdown: markdown(
      `# ${title}`,
      bullets([
        `Rule: \`${id}\``,
        `Severity: ${severity}${rises}`,
        ...(since === null ? [] : [`In effect since: ${since}`]),
        `Where to fix it: ${owner}`,
      ]),
      `## What it means\n\n${what}`,
      `## Why it matters\n\n${why}`,
      `## How to fix it\n\n${fix}`,
      fixHeadless !== undefined && `On a headless storefront: ${fixHeadless}`,
      `## Sources\n\n${bullets(sources)}`,
    ),
  };
}

function contextPage({ id, title, what, fix }: ContextMeta): ReferencePage {
  const rule = bullets([`Rule: \`${id}\``, 'Severity: info (describes the scan; no points are deducted)']);
  return {
    ...identity(id, title),
    markdown: markdown(`# ${title}`, rule, `## What it means\n\n${what}`, `## What to do\n\n${fix}`),
  };
}

function identity(id: string, title: string) {
  const uri = `${URI}/${id}`;
  return { kind: 'pixel_rule', id, title, uri, known_through: RULES_KNOWN_THROUGH, sources: [uri] } as const;
}
