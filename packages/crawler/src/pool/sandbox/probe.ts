import { mkdtempSync, readdirSync, rmdirSync, writeSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * Entry point of a process that attempts everything that a sandbox must prevent, and prints the names of the attempts
 * that succeeded.
 */

const parent = Number(process.argv[2]);
/** Name of the parent's abstract socket. */
const socketName = process.argv[3];

const attempts: Record<string, () => unknown> = {
  files: () => readdirSync('/etc'),
  writing: () => rmdirSync(mkdtempSync('/tmp/compliance-')),
  processes: () => readdirSync(`/proc/${parent}`),
  signals() {
    // In a PID namespace, this process's ID can equal its parent's ID outside the namespace.
    if (parent === process.pid) throw new Error('isolated');
    process.kill(parent, 0);
  },
  network: () =>
    new Promise((resolve, reject) => {
      const socket = connect({ path: `\0${socketName}` });
      socket.on('connect', resolve).on('error', reject);
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
