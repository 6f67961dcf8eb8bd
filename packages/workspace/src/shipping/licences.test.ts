import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from 'vitest';
import { licencesPage } from '../../scripts/licences.ts';
import { ROOT } from './pnpm.ts';
import { type Sbom, sboms } from './sbom.ts';

describe('what is shipped of others', () => {
  it('is under a licence that is allowed or explained, as docs/licences.md says (run `pnpm gen`)', () => {
    expect(readFileSync(join(ROOT, 'docs/licences.md'), 'utf8')).toBe(licencesPage());
  });

  it('has a bill of materials that is CycloneDX 1.6, for each package', async () => {
    const bills = sboms();
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    for (const [file, text] of Object.entries(bills))
      expect([file, await validator.validate(text)]).toEqual([file, null]);
    const named = Object.values(bills).map(text => (JSON.parse(text) as Sbom).metadata.component.name);
    expect(named.sort()).toEqual(['api', 'cli', 'client', 'core', 'crawler', 'fonts', 'shopify-app', 'store']);
  });
});
