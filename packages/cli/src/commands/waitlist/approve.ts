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
  delegate?: boolean;
  founding?: boolean;
}

/** The `compliance waitlist approve` command. */
export default new Command('approve')
  .description('Approve a request and issue an API key. The key is shown only once.')
  .argument('<id>', 'request ID, as shown by waitlist list')
  .addOption(
    new Option(
      '--scope <scope>',
      'operations that the key can call: a product area, render (pixel operations and rendering jobs), or all',
    )
      .choices(KEY_SCOPES)
      .default('all'),
  )
  .option('--delegate', 'grant delegate access by adding delegate:on to the note')
  .option('--founding', 'mark the requester as a founding-tier customer and grant delegate access')
  .addOption(keyFileOption())
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (id: string, { scope, delegate, founding, data, ...output }: Options) => {
    const { text, record } = await issuedKeyText(output, () =>
      withStore(data, async store => {
        if (founding) await store.waitlist.setFounding(id, { founding, actor: ACTOR });
        return await store.waitlist.approve(id, { scope, delegate, actor: ACTOR });
      }),
    );
    print(text);
    warnWithoutBetaAccess(record);
  });
