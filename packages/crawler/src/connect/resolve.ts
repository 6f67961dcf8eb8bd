import { Resolver } from 'node:dns/promises';

/**
 * Makes the production resolver: A and AAAA records asked from name servers directly.
 *
 * Not `dns.lookup`: that one reads the hosts file and search list of this machine, cannot be cancelled, and holds one of
 * four shared threads for as long as a stranger's name server pleases.
 *
 * @param servers name servers to ask, else those of the system
 * @example await createResolver()('shop.example', signal) // ['93.184.216.34']
 */
export function createResolver(servers?: readonly string[]) {
  return async (hostname: string, signal: AbortSignal): Promise<string[]> => {
    const resolver = new Resolver();
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      return answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
