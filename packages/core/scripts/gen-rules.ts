/**
 * Writes the registry of rules from the folder listing, and one page of documentation per rule. A test gives another
 * folder to write into, and compares.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
const contexts = [...readFileSync(join(root, 'src/pixel/context.ts'), 'utf8').matchAll(/add\(\s*'(\w+)'/g)].map(
  m => m[1]!,
);
const index = [
  '# Rules',
  '',
  ...titles,
  '',
  `Context findings, which cost no points: ${contexts.map(c => `\`${c}\``).join(', ')}.`,
  '',
];
writeFileSync(join(docsFolder, 'README.md'), index.join('\n'));
for (const file of readdirSync(docsFolder)) if (!pages.has(file)) rmSync(join(docsFolder, file));
