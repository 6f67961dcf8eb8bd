import { Command } from 'commander';
import { ACTOR } from '../../actor.ts';
import { withStore } from '../../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../../options.ts';
import { print, sanitizeForTerminal } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

/** The `compliance waitlist decline` command. */
export default new Command('decline')
  .description('Decline a request permanently.')
  .argument('<id>', 'request ID, as shown by waitlist list')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (id: string, { data, json }: StoreCommandOptions) => {
    const request = await withStore(data, store => store.waitlist.decline(id, { actor: ACTOR }));
    print(json ? JSON.stringify(request) : `Declined ${request.id} (${sanitizeForTerminal(request.company, 80)}).`);
  });
