import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashSecret, verifySecret } from './operator-secret.ts';

describe('secret hashing', () => {
  it('creates a different salted hash each time and verifies the secret against every hash', async () => {
    const [one, two] = await Promise.all([hashSecret('correct horse'), hashSecret('correct horse')]);
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(two);
    for (const hash of [one, two]) expect(await verifySecret('correct horse', hash)).toBe(true);
  });

  it('rejects incorrect secrets and never matches hashes in other formats', async () => {
    const hash = await hashSecret('Größe');
    expect(await verifySecret('Gro\u0308ße'.normalize('NFD'), hash)).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.string(), async other => {
        expect(await verifySecret(other, hash)).toBe(other.normalize('NFC') === 'Größe');
      }),
      { numRuns: 10, examples: [[''], ['Größ'], ['Größe '], ['größe']] },
    );
    for (const format of ['', 'Größe', hash.slice(0, -1), hash.replace('ln=15', 'ln=1'), '$scrypt$ln=15,r=8,p=1$$']) {
      expect(await verifySecret('Größe', format)).toBe(false);
    }
  });
});
