// Writes the registry of rules from the folders in src/pixel/rules/. It refuses a rule that calls itself otherwise than its folder.
import { readdirSync, writeFileSync } from 'node:fs';
import type { DriftRule, PageRule } from '../src/pixel/rule.ts';

const rules = new URL('../src/pixel/rules/', import.meta.url);

/** The order the formatter gives imports: an underscore comes before a digit. */
const byName = (a: string, b: string): number => (a.replaceAll('_', ' ') < b.replaceAll('_', ' ') ? -1 : 1);

/** The ids of the rules: the names of the folders. */
function ruleIds(): string[] {
  return readdirSync(rules, { withFileTypes: true })
    .flatMap(entry => (entry.isDirectory() ? [entry.name] : []))
    .sort(byName);
}

/** The text of rules.gen.ts. */
export function rulesModule(): string {
  const ids = ruleIds();
  const list = (name: string, type: string, members: readonly string[]): string =>
    [`export const ${name}: readonly ${type}[] = [`, ...members.map(id => `  ${id},`), '];'].join('\n');
  return [
    '// Written by `pnpm gen` from the folders in rules/. Do not edit.',
    `import type { DriftRule, PageRule } from './rule.ts';`,
    ...ids.map(id => `import ${id} from './rules/${id}/rule.ts';`),
    '',
    '/** Every rule over one page, by id. */',
    list(
      'pageRules',
      'PageRule',
      ids.filter(id => !id.startsWith('drift_')),
    ),
    '',
    '/** Every rule over two inventories, by id. */',
    list(
      'driftRules',
      'DriftRule',
      ids.filter(id => id.startsWith('drift_')),
    ),
    '',
  ].join('\n');
}

if (import.meta.main) {
  for (const id of ruleIds()) {
    const { default: rule } = (await import(`${rules}${id}/rule.ts`)) as { default: PageRule | DriftRule };
    if (rule.meta.id !== id) throw new Error(`The rule in ${id}/ calls itself ${rule.meta.id}`);
  }
  writeFileSync(new URL('../rules.gen.ts', rules), rulesModule());
}
