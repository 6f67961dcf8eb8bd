import type { KeyScope } from '@compliance/store';
import { Command, Option } from 'commander';
import { ACTOR } from '../../actor.ts';
import { withStore } from '../../open-store.ts';
import { dataOption, jsonOption, KEY_SCOPES, type StoreCommandOptions } from '../../options.ts';
import { issuedKeyText, warnWithoutBetaAccess } from '../../output/key.ts';
import { print } from '../../output/print.ts';

interface Options extends StoreCommandOptions {
  scope: KeyScope;
  note: string;
}

/** The `compliance keys issue` command. */
export default new Command('issue')
  .description('Issue an API key. The key is shown only once.')
  .addOption(new Option('--scope <scope>', 'product area that the key can access').choices(KEY_SCOPES).default('all'))
  .option('--note <note>', 'free-text note; include delegate:on to grant beta access', '')
  .addOption(dataOption())
  .addOption(jsonOption())
  .action(async ({ scope, note, data, json }: Options) => {
    const { key, record } = await withStore(data, store => store.keys.issue({ scope, note, actor: ACTOR }));
    print(json ? JSON.stringify({ key, ...record }) : issuedKeyText(key, record));
    warnWithoutBetaAccess(record);
  });
