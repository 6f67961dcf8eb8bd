import type { WaitlistRequest, WaitlistStatus } from '@compliance/store';
import { Command, Option } from 'commander';
import { withStore } from '../../open-store.ts';
import { jsonOption, limitOption, type StoreCommandOptions } from '../../options.ts';
import { formatDay, print, sanitizeForTerminal } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

interface Options extends StoreCommandOptions {
  status: WaitlistStatus;
  limit: number;
}

/** The `compliance waitlist list` command. */
export default new Command('list')
  .description(
    'List API key requests by status. Waiting requests are in review order, and approved or declined requests are newest first.',
  )
  .addOption(
    new Option('--status <status>', 'request status').choices(['waiting', 'approved', 'declined']).default('waiting'),
  )
  .addOption(limitOption())
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async ({ status, limit, data, json }: Options) => {
    const requests = await withStore(data, store => store.waitlist.list({ status, limit }));
    if (json) return print(JSON.stringify(requests));
    if (requests.length === 0) return print(`No ${status} requests.`);
    print(requests.map(summary).join('\n\n'));
  });

function summary({ id, company, useCase, expectedVolume, email, ...request }: WaitlistRequest): string {
  const details = [
    ...(request.founding ? ['founding tier'] : []),
    ...(request.sameEmail > 1 ? [`${request.sameEmail} requests from this email address`] : []),
    ...(request.keyId ? [`key ${request.keyId}`] : []),
  ];
  return [
    `${id}  ${[`requested ${formatDay(request.askedAt)}`, ...details].join(', ')}`,
    `  ${sanitizeForTerminal(company)} <${sanitizeForTerminal(email)}>, ${sanitizeForTerminal(expectedVolume)}`,
    ...useCase.split('\n').map(line => `  ${sanitizeForTerminal(line)}`),
  ].join('\n');
}
