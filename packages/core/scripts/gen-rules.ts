/**
 * Writes the registry of rules from the folder listing, and one page of documentation per rule. A test gives another
 * folder to write into, and compares.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ContextMeta } from '../src/pixel/context.ts';
import type { DriftRule, PageRule, RuleMeta } from '../src/pixel/rule.ts';

const root = join(import.meta.dirname, '..');
const rulesFolder = join(root, 'src/pixel/rules');
const target = process.argv[2] ?? join(root, '../..');
const docsFolder = join(target, 'docs/rules');
const registryFile = join(target, 'packages/core/src/pixel/rules.gen.ts');

/** The order the formatter gives imports: an underscore comes before a digit. */
const byName = (a: string, b: string): number => (a.replaceAll('_', ' ') < b.replaceAll('_', ' ') ? -1 : 1);

const ids = readdirSync(rulesFolder, { withFileTypes: true })
  .flatMap(entry => (entry.isDirectory() ? [entry.name] : []))
  .sort(byName);
const drift = ids.filter(id => id.startsWith('drift_'));
const page = ids.filter(id => !id.startsWith('drift_'));
const list = (name: string, type: string, members: readonly string[]): string =>
  [`export const ${name}: readonly ${type}[] = [`, ...members.map(id => `  ${id},`), '];'].join('\n');

const registry = [
  '// Written by `pnpm gen` from the folders in rules/. Do not edit.',
  `import type { DriftRule, PageRule } from './rule.ts';`,
  ...ids.map(id => `import ${id} from './rules/${id}/rule.ts';`),
  '',
  '/** Every rule over one page, by id. */',
  list('pageRules', 'PageRule', page),
  '',
  '/** Every rule over two inventories, by id. */',
  list('driftRules', 'DriftRule', drift),
  '',
].join('\n');
mkdirSync(dirname(registryFile), { recursive: true });
writeFileSync(registryFile, registry);

const pageOf = (meta: RuleMeta): string =>
  [
    `# ${meta.id}`,
    '',
    `${meta.title}.`,
    '',
    `- Severity: ${meta.escalates ? `${meta.severity}, ${meta.escalates.to} from ${meta.escalates.on}` : meta.severity}`,
    `- In force since: ${meta.since ?? 'always'}`,
    `- Who can fix it: ${meta.owner.replace('_', ' ')}`,
    '',
    '## What',
    '',
    meta.what,
    '',
    '## Why',
    '',
    meta.why,
    '',
    '## Fix',
    '',
    meta.fix,
    ...(meta.fixHeadless ? ['', `On a headless storefront: ${meta.fixHeadless}`] : []),
    '',
    '## Source',
    '',
    ...meta.sources.map(source => (source.startsWith('http') ? `- <${source}>` : `- ${source}`)),
    '',
  ].join('\n');

const titles: string[] = [];
mkdirSync(docsFolder, { recursive: true });
const pages = new Set(['README.md']);
for (const id of ids) {
  const { default: rule } = (await import(join(rulesFolder, id, 'rule.ts'))) as { default: PageRule | DriftRule };
  if (rule.meta.id !== id) throw new Error(`The rule in ${id}/ calls itself ${rule.meta.id}`);
  writeFileSync(join(docsFolder, `${id}.md`), pageOf(rule.meta));
  titles.push(`- [${id}](${id}.md) (${rule.meta.severity}): ${rule.meta.title}`);
  pages.add(`${id}.md`);
}

const contextPage = ({ id, title, what, fix }: ContextMeta): string =>
  [
    ...[`# ${id}`, '', `${title}.`, '', '- Severity: info, costs no points', '', '## What', '', what, ''],
    ...['## What to do', '', fix, ''],
  ].join('\n');

const { contextMetas } = (await import(join(root, 'src/pixel/context.ts'))) as { contextMetas: readonly ContextMeta[] };
for (const meta of contextMetas) {
  writeFileSync(join(docsFolder, `${meta.id}.md`), contextPage(meta));
  pages.add(`${meta.id}.md`);
}
const index = [
  '# Rules',
  '',
  ...titles,
  '',
  'Context findings say how much a scan could see, and cost no points:',
  '',
  ...contextMetas.map(({ id, title }) => `- [${id}](${id}.md): ${title}`),
  '',
];
writeFileSync(join(docsFolder, 'README.md'), index.join('\n'));
for (const file of readdirSync(docsFolder)) if (!pages.has(file)) rmSync(join(docsFolder, file));
