import { Command } from 'commander';
import { ACTOR } from '../../actor.ts';
import { withStore } from '../../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../../options.ts';
import { print } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';
import { withRecord } from './record.ts';

/** The `compliance certificates void` command. */
export default new Command('void')
  .description('Void a certificate permanently.')
  .argument('<id>', 'certificate ID, as printed on the certificate')
  .requiredOption('--reason <text>', 'reason, shown to anyone who looks up the certificate')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (id: string, { reason, data, json }: StoreCommandOptions & { reason: string }) => {
    const voided = await withStore(data, store => store.certificates.void(id, { reason, actor: ACTOR }));
    print(json ? JSON.stringify(withRecord(voided)) : `Voided ${voided.id}. The public page shows the reason.`);
  });
