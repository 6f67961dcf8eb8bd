import { describe, expect, it } from 'vitest';
import { START, type StoreHarness } from './harness.ts';

export function registerNomenclatures(harness: StoreHarness): void {
  describe('nomenclatures', () => {
    it('returns null before the first import, and the latest import afterward', async () => {
      expect(await harness.store.nomenclatures.latest()).toBeNull();
      const old = { edition: '2025HTSBasic', sha256: 'a'.repeat(64), body: '[{"htsno":"0101","description":"é 馬"}]' };
      const fresh = { edition: '2026HTSRev10', sha256: 'b'.repeat(64), body: `[${'{},'.repeat(500_000)}{}]` };
      await harness.store.nomenclatures.put(old);
      expect(await harness.store.nomenclatures.latest()).toEqual({ ...old, importedAt: START });
      harness.now += 1;
      await harness.store.nomenclatures.put(fresh);
      expect(await harness.store.nomenclatures.latest()).toEqual({ ...fresh, importedAt: START + 1 });
      harness.now += 1;
      await harness.store.nomenclatures.put(fresh);
      expect(await harness.store.nomenclatures.latest()).toMatchObject({ importedAt: START + 1 });
      harness.now += 1;
      await harness.store.nomenclatures.put(old);
      expect(await harness.store.nomenclatures.latest()).toEqual({ ...old, importedAt: harness.now });
    });
  });
}
