import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changelog, release } from '../../scripts/changelog.ts';
import { REPOSITORY_ROOT } from './pnpm.ts';

describe('the changelog', () => {
  const text = readFileSync(join(REPOSITORY_ROOT, 'CHANGELOG.md'), 'utf8');

  it('lists every pending changeset (run `pnpm gen`)', () => {
    expect(text).toBe(changelog(text));
  });

  it('keeps released sections', () => {
    const before = `${text}\n## 0.1.0\n\n- First release.\n`;
    expect(changelog(before)).toBe(before);
  });

  it('names a release section after its version', () => {
    expect(release('# Changelog\n\n## Unreleased\n\n- A change.\n', '0.2.0')).toContain('\n## 0.2.0\n\n- A change.');
  });
});
