// Writes docs/licences.md from the bills of materials. It refuses a licence that is not allowed, and says whose it is.
import { writeFileSync } from 'node:fs';
import satisfies from 'spdx-satisfies';
import { type Sbom, sboms } from '../src/shipping/sbom.ts';

/** What may be shipped with software under MIT: it asks for no more than to be named. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1', 'Unlicense'];

/** What is shipped besides, each with the reason. */
const EXPLAINED: Record<string, { packages: RegExp; reason: string }> = {
  'SEE LICENSE IN LICENSE.md': {
    packages: /^@shopify\/polaris(-icons|-tokens)?$/,
    reason:
      'Polaris is under the terms of MIT with one limit: it may only be used in applications that work with Shopify. The ' +
      'Shopify app is one, and it is the only part of this repository that has it.',
  },
};

/** The text of docs/licences.md. @throws Error naming each dependency whose licence is neither allowed nor explained */
export function licencesPage(): string {
  const bills = Object.values(sboms()).map(text => JSON.parse(text) as Sbom);
  const users = new Map<string, Set<string>>();
  for (const { metadata, components = [] } of bills) {
    for (const component of components.filter(({ group }) => group !== '@compliance')) {
      const key = JSON.stringify([licenceOf(component), nameOf(component)]);
      users.set(key, (users.get(key) ?? new Set()).add(metadata.component.name));
    }
  }
  const rows = [...users].map(([key, of]) => ({ ...read(key), of }));
  const refused = rows.filter(({ licence, name }) => !EXPLAINED[licence]?.packages.test(name) && !isAllowed(licence));
  if (refused.length > 0) throw new Error(refused.map(({ name, licence }) => `${name} is under ${licence}`).join('\n'));

  const licences = [...new Set(rows.map(({ licence }) => licence))].sort();
  const names = (all: typeof rows) =>
    all
      .map(({ name }) => name)
      .sort()
      .map(name => `\`${name}\``);
  return [
    '# Licences',
    '',
    'This repository is under MIT. What it brings along when it is installed is under these licences; tools of the workshop are',
    'not in the list. `pnpm gen` writes this page and refuses a licence that is not allowed; `npx --yes pnpm@12.21.0 run sbom`',
    'writes the same with versions and checksums to `dist/sbom`, as CycloneDX 1.6.',
    '',
    `Allowed without asking: ${ALLOWED.join(', ')}. No GPL, no AGPL, no LGPL, nothing for non-commercial use alone.`,
    ...licences.flatMap(licence => {
      const under = rows.filter(row => row.licence === licence);
      const packages = names(under.filter(({ of }) => [...of].some(name => name !== 'shopify-app')));
      const app = names(under.filter(({ of }) => [...of].every(name => name === 'shopify-app')));
      return [
        ...['', `## ${licence}`, ''],
        ...(EXPLAINED[licence] ? [EXPLAINED[licence].reason, ''] : []),
        ...(packages.length > 0 ? [`The packages: ${packages.join(', ')}.`] : []),
        ...(packages.length > 0 && app.length > 0 ? [''] : []),
        ...(app.length > 0 ? [`The Shopify app${packages.length > 0 ? ' besides' : ''}: ${app.join(', ')}.`] : []),
      ];
    }),
    '',
  ].join('\n');
}

type Component = NonNullable<Sbom['components']>[number];

const read = (key: string) => {
  const [licence, name] = JSON.parse(key) as [string, string];
  return { licence, name };
};

const nameOf = ({ group, name }: Component) => (group ? `${group}/${name}` : name);

function licenceOf({ licenses = [] }: Component): string {
  const said = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? 'unknown');
  return said.length > 0 ? said.join(' AND ').replace(/^\((.*)\)$/, '$1') : 'unknown';
}

function isAllowed(licence: string): boolean {
  try {
    return satisfies(licence, ALLOWED);
  } catch {
    return false;
  }
}

if (import.meta.main) writeFileSync(new URL('../../../docs/licences.md', import.meta.url), licencesPage());
