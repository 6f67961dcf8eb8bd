import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/run-cli.ts';
import { openJournal } from './journal.ts';

/** Number of folders with a stale lock from a killed process. */
const FOLDERS = 150;

/** Program that tries to open each folder's journal at the same moment as the other processes, and keeps it open. */
const OPENER = `
const [path, folder, start] = process.argv.slice(1);
const { openJournal } = await import(path);
const journals = new Map();
for (let at = 0; at < ${FOLDERS}; at++) {
  while (Date.now() < Number(start) + 10 * at);
  await openJournal(folder + '/' + at).then(journal => journals.set(at, journal), error => {
    if (!/is (starting to write|writing) to this folder/.test(error.message)) throw error;
  });
}
console.log(JSON.stringify([...journals.keys()]));
// The locks are valid while this process runs.
await new Promise(done => process.stdin.on('data', done));
process.exit();`;

/** Starts a process that opens the journals. */
function startOpener(folder: string, start: number) {
  const args = ['--conditions=@compliance/source', '--input-type=module', '--eval', OPENER];
  const child = spawn(process.execPath, [...args, join(import.meta.dirname, 'journal.ts'), folder, `${start}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { opened: once(child.stdout, 'data'), stop: () => child.stdin.end('stop') };
}

describe('the lock on a folder with certificates', () => {
  it('is acquired by only one of several processes that find a killed process’s lock', async () => {
    const folder = temporaryFolder();
    const killed = spawnSync('true').pid;
    for (let at = 0; at < FOLDERS; at++) {
      mkdirSync(join(folder, `${at}`));
      writeFileSync(join(folder, `${at}`, '.lock'), `${killed}`);
    }
    const start = Date.now() + 2_000;
    const openers = Array.from({ length: 3 }, () => startOpener(folder, start));
    const opened = await Promise.all(
      openers.map(async opener => JSON.parse(`${(await opener.opened)[0]}`) as number[]),
    );
    for (const { stop } of openers) stop();
    const times = Array.from({ length: FOLDERS }, (_, at) => opened.flat().filter(each => each === at).length);
    expect(Math.max(...times)).toBe(1);
  });

  it('stays in place if it’s empty, and the error message says which file to delete', async () => {
    const folder = temporaryFolder();
    const lock = join(folder, '.lock');
    writeFileSync(lock, '');
    await expect(openJournal(folder)).rejects.toThrow(`If no other process is using this folder, delete ${lock}.`);
  });
});
