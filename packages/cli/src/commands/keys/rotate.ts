import type { RotationOverlap } from '@compliance/store';
import { Command, Option } from 'commander';
import { ACTOR } from '../../actor.ts';
import { withStore } from '../../open-store.ts';
import { dataOption, jsonOption, type StoreCommandOptions } from '../../options.ts';
import { issuedKeyText, warnWithoutBetaAccess } from '../../output/key.ts';
import { print } from '../../output/print.ts';

/** The `compliance keys rotate` command. */
export default new Command('rotate')
  .description('Issue a new key with the same scope, note, and limits, and let the old key expire.')
  .argument('<id>', 'key ID, as shown by keys list')
  .addOption(
    new Option('--overlap <time>', 'how long the old key remains valid')
      .choices(['now', '1h', '24h', '7d'])
      .default('24h'),
  )
  .addOption(dataOption())
  .addOption(jsonOption())
  .action(async (id: string, { overlap, data, json }: StoreCommandOptions & { overlap: RotationOverlap }) => {
    const { key, record } = await withStore(data, store => store.keys.rotate(id, { overlap, actor: ACTOR }));
    const old = overlap === 'now' ? 'The old key no longer works.' : `The old key expires in ${overlap}.`;
    print(json ? JSON.stringify({ key, ...record }) : `${issuedKeyText(key, record)}\n${old}`);
    warnWithoutBetaAccess(record);
  });
