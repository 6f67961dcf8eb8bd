import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createEgressProxy, publicTransport } from '@compliance/crawler';
import { firstSignal } from '@compliance/server';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { print } from '../output/print.ts';
import { settingOption } from '../settings/settings.ts';

/** The `compliance egress` command. */
export default new Command('egress')
  .description(
    'Run an egress proxy for a service that has no route to the internet. The proxy connects only to public IP addresses.',
  )
  .addOption(settingOption('COMPLIANCE_EGRESS_PORT'))
  .addOption(settingOption('COMPLIANCE_LISTEN_ADDRESS'))
  .action(async ({ port, host }: { port: number; host: string }) => {
    const proxy = createEgressProxy(publicTransport).listen(port, host);
    await once(proxy, 'listening').catch(({ message }: Error) => {
      throw new CliError(`Can't listen on ${host} port ${port}: ${message}`);
    });
    print(`The egress proxy is running on ${host} port ${(proxy.address() as AddressInfo).port}. Stop with Ctrl-C.`);
    await firstSignal();
    proxy.close();
    proxy.closeAllConnections();
  });
