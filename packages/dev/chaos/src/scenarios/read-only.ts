import { join } from 'node:path';
import { certificateOf, LOOKUP, send } from '../harness/load.ts';
import { canMount, mountMemory, remount, unmount } from '../harness/mount.ts';
import { issueKeys, type Place, temporaryFolder, verify } from '../harness/place.ts';
import { runCommand, startProcess, until } from '../harness/service.ts';
import type { Scenario } from '../model/scenario.ts';
import { expectThat } from '../model/tally.ts';

/**
 * Tries to start a process on a read-only data folder, and then makes the PDF folder read-only while another process is
 * running.
 */
export const readOnlyFolder: Scenario = {
  name: 'read-only folder',
  engines: ['sqlite'],
  skip: () => (canMount() ? null : 'needs root'),
  async run(context) {
    const { tally } = context;
    const disk = mountMemory(context, temporaryFolder(context), 'size=64m');
    const place: Place = { dataDir: join(disk, 'data'), databaseUrl: undefined };
    const [key] = await issueKeys(place, 1);
    const issue = async (base: string, name: string) => {
      tally.requests++;
      const { status, code, body } = await send(base, key!, certificateOf(name), {
        headers: { 'Idempotency-Key': name },
      });
      if (status === 200) tally.acknowledged.push({ id: body.gcc_id!, sha256: body.sha256!, name });
      return `${status} ${code}`;
    };

    // A file system can't be remounted as read-only while files are open for writing, so stop this process before
    // starting the next one on the read-only file system.
    const first = await startProcess(context, place);
    await issue(first.base, 'before-1');
    first.child.kill('SIGTERM');
    await first.exited;
    remount(disk, 'ro');
    const { code, output } = await runCommand(['serve', '--port', '0'], place);
    expectThat(tally, code === 1, `exit code ${code} with a read-only folder`);
    expectThat(tally, /read-only.*write permission/.test(output), `the message was: ${output}`);
    expectThat(tally, !/\n +at /.test(output), 'the message contains a stack trace');
    remount(disk, 'rw');

    // Make the PDF folder read-only while a process is running.
    const second = await startProcess(context, place);
    const blobs = mountMemory(context, join(place.dataDir, 'blobs'), 'size=1m,ro');
    expectThat(
      tally,
      (await issue(second.base, 'during-1')) === '503 unavailable',
      'a write to a read-only folder succeeded',
    );
    expectThat(
      tally,
      await until(async () => (await second.readiness()) === '503 storage_read_only'),
      `readiness was ${await second.readiness()}`,
    );
    const { status } = await send(second.base, key!, LOOKUP);
    expectThat(tally, status === 200, `a lookup got ${status}`);
    expectThat(
      tally,
      second.output().includes('"code":"storage_read_only"'),
      'the log does not contain storage_read_only',
    );
    unmount(blobs);
    expectThat(
      tally,
      await until(async () => (await second.readiness()) === '200 ready'),
      `readiness was ${await second.readiness()} after the folder was writable again`,
    );
    expectThat(tally, (await issue(second.base, 'during-1')) === '200 ok', 'the retry failed');
    second.child.kill('SIGTERM');
    await second.exited;
    await verify(place, context);
  },
};
