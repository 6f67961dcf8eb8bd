import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { connect } from 'node:net';

/** Entry point of a process that tries what a sandbox must prevent, and prints what succeeded. */

const parent = Number(process.argv[2]);

const attempts: Record<string, () => unknown> = {
  files: () => readdirSync('/etc'),
  writing: () => rmdirSync(mkdtempSync('/tmp/compliance-')),
  processes: () => readdirSync(`/proc/${parent}`),
  signals: () => process.kill(parent, 0),
  network: () =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: 9 });
      socket.on('connect', resolve);
      // A refused connection has reached the network.
      socket.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNREFUSED' ? resolve(null) : reject(error),
      );
    }),
};

const succeeded: string[] = [];
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    succeeded.push(name);
  } catch {}
}
console.log(JSON.stringify(succeeded));
process.exit();
