import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { startService } from './service.ts';

/**
 * Serves the API on a local port so that a browser or a command can connect to it. The returned `stop` function stops
 * both the server and the service.
 */
export async function listen<Service extends Awaited<ReturnType<typeof startService>>>(service: Service) {
  // Tests render certificates in this process, which can block it for longer than the default of 5 seconds. The server
  // would then close an idle connection just as the client sends another request.
  const serverOptions = { keepAliveTimeout: 60_000 };
  const server = serve({ fetch: service.api.fetch, port: 0, hostname: '127.0.0.1', serverOptions });
  await once(server, 'listening', { signal: AbortSignal.timeout(10_000) });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
    await service.stop();
  };
  return { ...service, base, stop };
}
