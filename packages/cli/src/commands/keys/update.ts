import type { KeyScope } from '@compliance/store';
import { Command, Option } from 'commander';
import { ACTOR } from '../../actor.ts';
import { CliError } from '../../cli-error.ts';
import { withStore } from '../../open-store.ts';
import { jsonOption, KEY_SCOPES, type StoreCommandOptions } from '../../options.ts';
import { scopeAndNote, warnWithoutBetaAccess } from '../../output/key.ts';
import { print } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

interface Options extends StoreCommandOptions {
  scope?: KeyScope;
  note?: string;
}

/** The `compliance keys update` command. */
export default new Command('update')
  .description("Change a key's scope or note.")
  .argument('<id>', 'key ID, as shown by keys list')
  .addOption(
    new Option(
      '--scope <scope>',
      'operations that the key can call: a product area, render (pixel operations and rendering jobs), or all',
    ).choices(KEY_SCOPES),
  )
  .option('--note <note>', 'free-text note; include delegate:on to grant delegate access')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (id: string, { scope, note, data, json }: Options) => {
    if (scope === undefined && note === undefined) throw new CliError('Specify --scope, --note, or both.', 2);
    const record = await withStore(data, store => store.keys.update(id, { scope, note, actor: ACTOR }));
    print(json ? JSON.stringify(record) : `Updated ${record.id}: ${scopeAndNote(record)}.`);
    warnWithoutBetaAccess(record);
  });
