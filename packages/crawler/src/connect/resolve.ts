import { Resolver } from 'node:dns/promises';

/** How long the second kind of record may lag behind the first. Some name servers never answer one of the two. */
const lagMs = 300;

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
    let lag: NodeJS.Timeout | undefined;
    const answered = (addresses: string[]) => {
      lag ??= setTimeout(cancel, lagMs);
      return addresses;
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const kinds = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
      const answers = await Promise.all(kinds.map(kind => kind.then(answered, () => [])));
      return answers.flat();
    } finally {
      clearTimeout(lag);
      signal.removeEventListener('abort', cancel);
    }
  };
}
