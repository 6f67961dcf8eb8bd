import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { startService } from './service.ts';

/** A service on a port of this machine, for a browser or a command. Stops with its server. */
export async function served<Service extends Awaited<ReturnType<typeof startService>>>(service: Service) {
  const server = serve({ fetch: service.api.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
    await service.stop();
  };
  return { ...service, base, stop };
}
