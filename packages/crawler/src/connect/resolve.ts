import { Resolver } from 'node:dns/promises';

/**
 * Time to wait for the second response (`A` or `AAAA` records) after the first one arrives, in milliseconds. Some DNS
 * servers never respond to queries for one of these types.
 */
const lagMs = 300;

/** DNS error codes for a name that doesn't exist or has no address. Other errors can be temporary. */
const NO_NAME = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Creates the production resolver, which queries DNS servers directly for `A` and `AAAA` records.
 *
 * `dns.lookup` isn't suitable: it uses this machine's hosts file and search list, can't be canceled, and blocks one of
 * four shared threads while it waits for a response. The resolver returns an empty list only if DNS servers report that
 * the name doesn't exist or has no address. If the lookup fails for any other reason, the returned promise rejects.
 *
 * @param servers DNS servers to query (default: the system's DNS servers)
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
      const answers = await Promise.allSettled(kinds.map(kind => kind.then(answered)));
      const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
      const failed = answers.find(answer => answer.status === 'rejected' && !NO_NAME.has(answer.reason.code));
      if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason;
      return addresses;
    } finally {
      clearTimeout(lag);
      signal.removeEventListener('abort', cancel);
    }
  };
}
