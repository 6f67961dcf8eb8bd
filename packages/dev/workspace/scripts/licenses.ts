// Writes docs/licenses.md from the bills of materials. If a license isn't allowed, fails and names the package.
import { writeFileSync } from 'node:fs';
import satisfies from 'spdx-satisfies';
import { type Sbom, sboms } from '../src/shipping/sbom.ts';

/** Licenses that are allowed for dependencies of MIT-licensed software because they require at most attribution. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'OFL-1.1', 'Unlicense'];

/** Licenses that are allowed only for specific packages, each with the reason. */
const EXPLAINED: Record<string, { packages: RegExp; reason: string }> = {
  'BlueOak-1.0.0': {
    packages: /^minimatch$/,
    reason:
      'The Blue Oak Model License is a permissive license approved by the Open Source Initiative. Like the MIT license, it requires ' +
      "only attribution. The TUF library needs `minimatch` only for delegated roles, which data set updates don't use.",
  },
  'MPL-2.0': {
    packages: /^@duckduckgo\/autoconsent$/,
    reason:
      "The Mozilla Public License applies to each of the package's own files, not to the software that uses them. The renderer, which is " +
      'optional, uses the published package without changes. If you change one of its files and distribute the result, you have to ' +
      'publish that file under the same license.',
  },
  'SEE LICENSE IN LICENSE.md': {
    packages: /^@shopify\/polaris(-icons|-tokens)?$/,
    reason:
      'Polaris is licensed under the MIT license with one restriction: you can use it only in applications that work with Shopify. The ' +
      'Shopify app is such an application, and is the only part of this repository that uses Polaris.',
  },
};

/**
 * Returns the text of docs/licenses.md. @throws Error that names each dependency whose license is neither allowed nor
 * explained
 */
export function licensesPage(): string {
  const bills = Object.values(sboms()).map(text => JSON.parse(text) as Sbom);
  const users = new Map<string, Set<string>>();
  for (const { metadata, components = [] } of bills) {
    for (const component of components.filter(({ group }) => group !== '@compliance')) {
      const key = JSON.stringify([licenseOf(component), nameOf(component)]);
      users.set(key, (users.get(key) ?? new Set()).add(metadata.component.name));
    }
  }
  const rows = [...users].map(([key, of]) => ({ ...read(key), of }));
  const refused = rows.filter(({ license, name }) => !EXPLAINED[license]?.packages.test(name) && !isAllowed(license));
  if (refused.length > 0)
    throw new Error(refused.map(({ name, license }) => `${name}: ${license} isn't allowed`).join('\n'));

  const licenses = [...new Set(rows.map(({ license }) => license))].sort();
  const names = (all: typeof rows) =>
    all
      .map(({ name }) => name)
      .sort()
      .map(name => `\`${name}\``);
  return [
    '# Licenses',
    '',
    'This repository is licensed under the MIT license. This page lists the licenses of the runtime dependencies, but not those of the development tools.',
    "`pnpm gen` generates this page and fails if a license isn't allowed. `npx --yes pnpm@12.21.0 run sbom` writes the same",
    'information, with versions and checksums, to `dist/sbom` in CycloneDX 1.6 format.',
    '',
    `Allowed licenses: ${ALLOWED.join(', ')}. Any other license is an exception that is explained on this page. No GPL, AGPL, LGPL, or noncommercial license is allowed.`,
    ...licenses.flatMap(license => {
      const under = rows.filter(row => row.license === license);
      const packages = names(under.filter(({ of }) => [...of].some(name => name !== 'shopify-app')));
      const app = names(under.filter(({ of }) => [...of].every(name => name === 'shopify-app')));
      return [
        ...['', `## ${license}`, ''],
        ...(EXPLAINED[license] ? [EXPLAINED[license].reason, ''] : []),
        ...(packages.length > 0 ? [`Packages: ${packages.join(', ')}.`] : []),
        ...(packages.length > 0 && app.length > 0 ? [''] : []),
        ...(app.length > 0 ? [`Shopify app only: ${app.join(', ')}.`] : []),
      ];
    }),
    '',
  ].join('\n');
}

type Component = NonNullable<Sbom['components']>[number];

const read = (key: string) => {
  const [license, name] = JSON.parse(key) as [string, string];
  return { license, name };
};

const nameOf = ({ group, name }: Component) => (group ? `${group}/${name}` : name);

function licenseOf({ licenses = [] }: Component): string {
  const declared = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? 'unknown');
  return declared.length > 0 ? declared.join(' AND ').replace(/^\((.*)\)$/, '$1') : 'unknown';
}

function isAllowed(license: string): boolean {
  try {
    return satisfies(license, ALLOWED);
  } catch {
    return false;
  }
}

if (import.meta.main) writeFileSync(new URL('../../../../docs/licenses.md', import.meta.url), licensesPage());
