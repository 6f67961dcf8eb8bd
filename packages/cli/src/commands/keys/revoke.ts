import { Command } from 'commander';
import { ACTOR } from '../../actor.ts';
import { withStore } from '../../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../../options.ts';
import { print } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

/** The `compliance keys revoke` command. */
export default new Command('revoke')
  .description('Revoke an API key immediately.')
  .argument('<id>', 'key ID, as shown by keys list')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (id: string, { data, json }: StoreCommandOptions) => {
    const record = await withStore(data, store => store.keys.revoke(id, { actor: ACTOR }));
    print(json ? JSON.stringify(record) : `Revoked ${record.id} (${record.prefix}…${record.last4}).`);
  });
