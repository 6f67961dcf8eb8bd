import type { RotationOverlap } from '@compliance/store';
import { Command, Option } from 'commander';
import { ACTOR } from '../../actor.ts';
import { withStore } from '../../open-store.ts';
import { jsonOption, keyFileOption, type StoreCommandOptions } from '../../options.ts';
import { issuedKeyText, type KeyOutput, warnWithoutBetaAccess } from '../../output/key.ts';
import { print } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

interface Options extends StoreCommandOptions, KeyOutput {
  overlap: RotationOverlap;
}

/** Display text for each overlap period. */
const DURATIONS = { '1h': '1 hour', '24h': '24 hours', '7d': '7 days' } as const;

/** The `compliance keys rotate` command. */
export default new Command('rotate')
  .description('Issue a new key with the same scope, note, and limits, and let the old key expire.')
  .argument('<id>', 'key ID, as shown by keys list')
  .addOption(
    new Option('--overlap <time>', 'how long the old key remains valid')
      .choices(['now', '1h', '24h', '7d'])
      .default('24h'),
  )
  .addOption(keyFileOption())
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (id: string, { overlap, data, ...output }: Options) => {
    const { text, record } = await issuedKeyText(output, () =>
      withStore(data, store => store.keys.rotate(id, { overlap, actor: ACTOR })),
    );
    const old = overlap === 'now' ? 'The old key no longer works.' : `The old key expires in ${DURATIONS[overlap]}.`;
    print(output.json ? text : `${text}\n${old}`);
    warnWithoutBetaAccess(record);
  });
