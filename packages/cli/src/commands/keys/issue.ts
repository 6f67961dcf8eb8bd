import type { KeyScope } from '@compliance/store';
import { Command, Option } from 'commander';
import { ACTOR } from '../../actor.ts';
import { withStore } from '../../open-store.ts';
import { jsonOption, KEY_SCOPES, keyFileOption, type StoreCommandOptions } from '../../options.ts';
import { issuedKeyText, type KeyOutput, warnWithoutBetaAccess } from '../../output/key.ts';
import { print } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

interface Options extends StoreCommandOptions, KeyOutput {
  scope: KeyScope;
  note: string;
}

/** The `compliance keys issue` command. */
export default new Command('issue')
  .description('Issue an API key. The key is shown only once.')
  .addOption(
    new Option(
      '--scope <scope>',
      'operations that the key can call: a product area, render (pixel operations and rendering jobs), or all',
    )
      .choices(KEY_SCOPES)
      .makeOptionMandatory(),
  )
  .option('--note <note>', 'free-text note; include delegate:on to grant delegate access', '')
  .addOption(keyFileOption())
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async ({ scope, note, data, ...output }: Options) => {
    const { text, record } = await issuedKeyText(output, () =>
      withStore(data, store => store.keys.issue({ scope, note, actor: ACTOR })),
    );
    print(text);
    warnWithoutBetaAccess(record);
  });
