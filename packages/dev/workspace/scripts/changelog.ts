// Writes the "Unreleased" section of CHANGELOG.md from the pending changesets. If `--release` is given, renames the
// "Unreleased" section to the released version.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '../src/shipping/pnpm.ts';

const HEAD = `# Changelog

All notable changes are listed here. All packages share one version, which follows Semantic Versioning. The first section is
generated from the pending changesets by \`pnpm gen\`.
`;

/** Pending changeset: the packages to release, the kind of version bump, and the text for users. */
interface Changeset {
  readonly packages: readonly string[];
  readonly bump: 'major' | 'minor' | 'patch';
  readonly text: string;
}

const TITLES = { major: 'Breaking changes', minor: 'Added', patch: 'Fixed and improved' } as const;

/** Reads a changeset file. @throws Error if its front matter doesn't name a package */
function readChangeset(file: string): Changeset {
  const [, head, text] =
    /^\s*---\n([\s\S]*?)---\n([\s\S]*)$/.exec(readFileSync(join(REPOSITORY_ROOT, file), 'utf8')) ?? [];
  const bumps = [...(head ?? '').matchAll(/^['"]?([^'":]+)['"]?: (major|minor|patch)$/gm)];
  if (bumps.length === 0) throw new Error(`${file} doesn’t name a package to release.`);
  const bump = (['major', 'minor', 'patch'] as const).find(size => bumps.some(([, , of]) => of === size))!;
  return { packages: bumps.map(([, name]) => name!), bump, text: text!.trim().replace(/\s*\n\s*/g, ' ') };
}

/**
 * Returns the text of CHANGELOG.md. @param previous Current text of CHANGELOG.md. Only the released sections of this
 * text are kept.
 */
export function changelog(previous: string): string {
  const pending = globSync('.changeset/*.md', { cwd: REPOSITORY_ROOT }).sort().map(readChangeset);
  const released = previous.split(/^(?=## (?!Unreleased))/m).slice(1);
  const sections = (['major', 'minor', 'patch'] as const).flatMap(bump => {
    const entries = pending.filter(changeset => changeset.bump === bump);
    if (entries.length === 0) return [];
    const lines = entries.map(({ packages, text }) => `- ${text} (${packages.map(name => `\`${name}\``).join(', ')})`);
    return [`### ${TITLES[bump]}\n\n${lines.join('\n')}`];
  });
  const unreleased = pending.length > 0 ? [`## Unreleased\n\n${sections.join('\n\n')}\n`] : [];
  return [HEAD, ...unreleased, ...released].join('\n');
}

/** Returns the changelog with its "Unreleased" section renamed to the version that is being released. */
export function release(text: string, version: string): string {
  return text.replace(/^## Unreleased$/m, `## ${version}`);
}

if (import.meta.main) {
  const file = join(REPOSITORY_ROOT, 'CHANGELOG.md');
  const text = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  // `changeset version` has already removed the changesets and set the version, so rename the section instead of
  // regenerating it.
  const { version } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'packages/core/package.json'), 'utf8'));
  writeFileSync(file, process.argv.includes('--release') ? release(text, version) : changelog(text));
}
