import { inspectDatabase, openStore } from '@compliance/store';
import { Command } from 'commander';
import { atExistingStore } from '../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../options.ts';
import { print } from '../output/print.ts';
import { settingOption } from '../settings/settings.ts';

/** The `compliance migrate` command. */
export default new Command('migrate')
  .description('Migrate the store to this release. The serve command does the same when it starts.')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async ({ data, json }: StoreCommandOptions) => {
    const pending = await atExistingStore(data, async location => {
      const facts = await inspectDatabase(location, Date.now);
      await (await openStore({ clock: Date.now, create: false, ...location })).close();
      return facts?.pending ?? [];
    });
    if (json) return print(JSON.stringify({ migrated: pending }));
    print(pending.length > 0 ? `Migrated: ${pending.join(', ')}.` : 'The store is up to date.');
  });
