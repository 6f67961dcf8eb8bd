import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateOf, send } from '../harness/load.ts';
import { createPlace, issueKeys, type Place, temporaryFolder, verify } from '../harness/place.ts';
import { runCommand, startProcess, until } from '../harness/service.ts';
import type { Scenario } from '../model/scenario.ts';
import { expectThat } from '../model/tally.ts';

/**
 * Overwrites the database file while a process is running, and then restores a backup, as the error message recommends.
 */
export const damagedDatabase: Scenario = {
  name: 'damaged database',
  engines: ['sqlite'],
  async run(context) {
    const { tally } = context;
    const place = await createPlace(context);
    const [key] = await issueKeys(place, 20);
    const service = await startProcess(context, place);
    for (let i = 0; i < 5; i++) {
      tally.requests++;
      const name = `certificate-${i}`;
      const { body } = await send(service.base, key!, certificateOf(name), { headers: { 'Idempotency-Key': name } });
      tally.acknowledged.push({ id: body.gcc_id!, sha256: body.sha256!, name });
    }
    const backups = join(temporaryFolder(context), 'backups');
    const backup = await runCommand(['backup', backups], place);
    expectThat(tally, backup.code === 0, `backup: ${backup.output}`);
    service.child.kill('SIGTERM');
    await service.exited;

    const running = await startProcess(context, place);
    overwrite(place);
    expectThat(
      tally,
      await until(async () => (await running.readiness()) === '503 database_damaged'),
      `readiness was ${await running.readiness()} with a damaged database`,
    );
    const { status, code } = await send(running.base, key!, certificateOf('damaged-1'));
    expectThat(tally, status === 503 && code === 'unavailable', `a request got ${status} ${code}`);
    expectThat(
      tally,
      running.output().includes('"code":"database_damaged"'),
      'the log does not contain database_damaged',
    );
    running.child.kill('SIGKILL');
    await running.exited;

    const again = await runCommand(['serve', '--port', '0'], place);
    expectThat(tally, again.code === 1, `exit code ${again.code} with a damaged database`);
    expectThat(
      tally,
      /The database is damaged.*compliance restore/.test(again.output),
      `the message was: ${again.output}`,
    );
    expectThat(tally, !/\n +at /.test(again.output), 'the message contains a stack trace');

    const restored: Place = { dataDir: join(temporaryFolder(context), 'restored'), databaseUrl: undefined };
    const restore = await runCommand(['restore', backups], restored);
    expectThat(tally, restore.code === 0, `restore: ${restore.output}`);
    await verify(restored, context);
  },
};

function overwrite({ dataDir }: Place): void {
  const file = join(dataDir, 'compliance.sqlite');
  const bytes = readFileSync(file);
  bytes.fill(0xaa);
  writeFileSync(file, bytes);
}
