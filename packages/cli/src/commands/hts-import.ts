import { createHash } from 'node:crypto';
import { compareNomenclatures } from '@compliance/core/tariff';
import { editionOf, parseNomenclature, readOfficialText } from '../input/nomenclature.ts';
import { print } from '../output/print.ts';
import { withStore } from '../store.ts';

/** `compliance hts import` */
export async function htsImportCommand(file: string, options: { edition?: string; data: string }): Promise<void> {
  const edition = options.edition ?? editionOf(file);
  const text = await readOfficialText(file);
  const nomenclature = parseNomenclature(file, text, edition);
  await withStore(options.data, async store => {
    const previous = await store.nomenclatures.latest();
    await store.nomenclatures.put({ edition, sha256: createHash('sha256').update(text).digest('hex'), body: text });
    print(`Imported ${edition}: ${nomenclature.numbers.length} numbers of 8 or 10 digits.`);
    if (previous) {
      const { added, deleted } = compareNomenclatures(
        parseNomenclature('the store', previous.body, previous.edition),
        nomenclature,
      );
      print(`Against ${previous.edition}: ${added.length} numbers added, ${deleted.length} deleted.`);
    }
  });
  print('A service that is running takes it up when it starts again.');
}
