import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from 'vitest';
import { licensesPage } from '../../scripts/licenses.ts';
import { REPOSITORY_ROOT } from './pnpm.ts';
import { PUBLISHED } from './published.ts';
import { type Sbom, sboms } from './sbom.ts';

describe('the license documentation', () => {
  it('lists all runtime dependencies with their allowed licenses in docs/licenses.md (run `pnpm gen`)', () => {
    expect(readFileSync(join(REPOSITORY_ROOT, 'docs/licenses.md'), 'utf8')).toBe(licensesPage());
  });

  it('lists each package’s dependencies in a valid CycloneDX 1.6 bill of materials', async () => {
    const bills = sboms();
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    for (const [file, text] of Object.entries(bills))
      expect([file, await validator.validate(text)]).toEqual([file, null]);
    const named = Object.values(bills).map(text => (JSON.parse(text) as Sbom).metadata.component.name);
    expect(named.sort()).toEqual([...PUBLISHED, 'client', 'shopify-app', 'tariff-data'].sort());
  });
});
