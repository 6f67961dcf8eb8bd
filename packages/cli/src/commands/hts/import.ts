import { createHash } from 'node:crypto';
import { compareNomenclatures } from '@compliance/core/tariff';
import { Command } from 'commander';
import { editionOf, parseNomenclature, readOfficialText } from '../../input/nomenclature.ts';
import { withStore } from '../../open-store.ts';
import { print } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

/** The `compliance hts import` command. */
export default new Command('import')
  .description('Validate an official HTS export (.json or .json.gz) and store it for the service.')
  .argument('<file>', 'HTS export file from the USITC')
  .option('--edition <name>', 'edition name (default: derived from the filename)')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .action(async (file: string, options: { edition?: string; data: string }) => {
    const edition = options.edition ?? editionOf(file);
    const text = await readOfficialText(file);
    const nomenclature = parseNomenclature(file, text, edition);
    await withStore(options.data, async store => {
      const previous = await store.nomenclatures.latest();
      await store.nomenclatures.put({ edition, sha256: createHash('sha256').update(text).digest('hex'), body: text });
      print(`Imported ${edition}: ${nomenclature.numbers.length} HTS numbers with 8 or 10 digits.`);
      if (previous) {
        const { added, deleted } = compareNomenclatures(
          parseNomenclature('the store', previous.body, previous.edition),
          nomenclature,
        );
        print(`HTS numbers compared with ${previous.edition}: ${added.length} added, ${deleted.length} deleted.`);
      }
    });
    print('If the service is running, restart it to use this edition.');
  });
