import { describe, expect, it } from 'vitest';
import { START, type World } from './world.ts';

export function registerNomenclatures(world: World): void {
  describe('nomenclatures', () => {
    it('has none before the first import, then the one imported last', async () => {
      expect(await world.store.nomenclatures.latest()).toBeNull();
      const old = { edition: '2025HTSBasic', sha256: 'a'.repeat(64), body: '[{"htsno":"0101","description":"é 馬"}]' };
      const fresh = { edition: '2026HTSRev10', sha256: 'b'.repeat(64), body: `[${'{},'.repeat(500_000)}{}]` };
      await world.store.nomenclatures.put(old);
      expect(await world.store.nomenclatures.latest()).toEqual({ ...old, importedAt: START });
      world.now += 1;
      await world.store.nomenclatures.put(fresh);
      expect(await world.store.nomenclatures.latest()).toEqual({ ...fresh, importedAt: START + 1 });
      world.now += 1;
      await world.store.nomenclatures.put(fresh);
      expect(await world.store.nomenclatures.latest()).toMatchObject({ importedAt: START + 1 });
      world.now += 1;
      await world.store.nomenclatures.put(old);
      expect(await world.store.nomenclatures.latest()).toEqual({ ...old, importedAt: world.now });
    });
  });
}
