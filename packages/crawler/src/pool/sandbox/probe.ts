import { mkdtempSync, readdirSync, rmdirSync, writeSync } from 'node:fs';
import { connect } from 'node:net';

/** Entry point of a process that tries what a sandbox must prevent, and prints what succeeded. */

const parent = Number(process.argv[2]);
/** Name of an abstract socket of the parent. Without it, the probe tries a closed port. */
const socketName = process.argv[3];

const attempts: Record<string, () => unknown> = {
  files: () => readdirSync('/etc'),
  writing: () => rmdirSync(mkdtempSync('/tmp/compliance-')),
  processes: () => readdirSync(`/proc/${parent}`),
  signals() {
    // In a process namespace, the parent's number can be this process's own number.
    if (parent === process.pid) throw new Error('isolated');
    process.kill(parent, 0);
  },
  network: () =>
    new Promise((resolve, reject) => {
      const socket = connect(socketName ? { path: `\0${socketName}` } : { host: '127.0.0.1', port: 9 });
      socket.on('connect', resolve);
      // A connection to a closed port that is refused has reached the network.
      socket.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNREFUSED' && !socketName ? resolve(null) : reject(error),
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
writeSync(1, JSON.stringify(succeeded));
process.exit();
