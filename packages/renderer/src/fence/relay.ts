import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

/**
 * Entry point of the process that starts the browser inside the namespaces. The namespaces have no route, so the
 * browser reaches the proxy only through this process: it accepts connections on the namespaces' own loopback device
 * and passes their bytes to the proxy's Unix socket.
 */

const [socketPath = '', port = '', executable = '', ...flags] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: false }, client => {
  const proxy = connect(socketPath);
  for (const [from, to] of [
    [client, proxy],
    [proxy, client],
  ] as const) {
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
    from.pipe(to);
  }
});

server.listen(Number(port), '127.0.0.1', () => {
  const { FONTCONFIG_PATH } = process.env;
  const browser = spawn(executable, flags, {
    // File descriptors 3 and 4 are the pipes for commands and events.
    stdio: ['ignore', 'ignore', 'inherit', 3, 4],
    env: {
      ...{ HOME: '/scratch', TMPDIR: '/scratch', LANG: 'en_US.UTF-8', TZ: 'UTC' },
      ...(FONTCONFIG_PATH && { FONTCONFIG_PATH }),
    },
  });
  browser.on('error', () => process.exit(1));
  browser.on('exit', code => process.exit(code ?? 1));
});
