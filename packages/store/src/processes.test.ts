import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from './index.ts';
import { childClock, killThreeTimes, type StoreLocation, startChild, useChildren } from './testing/child-processes.ts';
import { describeWithPostgres, startS3 } from './testing/index.ts';

const newCertificate = { family: 'fam_shared', record: '{}', pdf: Buffer.from('%PDF-1.7'), actor: 'parent' };

/** Fields of the idempotent requests, which are the same in all child processes. */
const idempotent = { family: 'fam_shared', operation: 'certify', fingerprint: 'body' };

/** Opens the store in this process and closes it afterward. */
async function withStore(
  location: StoreLocation,
  look: (store: Store) => Promise<void>,
  clock = childClock,
): Promise<void> {
  const store = await openStore({ ...location, clock });
  await look(store);
  await store.close();
}

const runTogether = useChildren();

function registerProcesses(fresh: () => Promise<StoreLocation>): void {
  it('opens the same new database from 6 processes at once, ten times in a row', async () => {
    for (let round = 0; round < 10; round++) {
      const location = await fresh();
      const ids = await runTogether(6, 'open', location);
      await withStore(location, async store => {
        expect((await store.keys.list()).map(({ id }) => id).sort()).toEqual(ids.sort());
        expect(await store.usage.daily({ days: 1 })).toMatchObject([{ operation: 'open', count: 6 }]);
      });
    }
  });

  it('allows exactly 100 of 400 requests from one key family across 4 processes', async () => {
    const allowed = await runTogether(4, 'take', await fresh());
    expect(allowed.reduce((sum, each) => sum + Number(each), 0)).toBe(100);
  });

  it('allows exactly 60 of 200 requests to one target across 4 processes', async () => {
    const allowed = await runTogether(4, 'takeTarget', await fresh());
    expect(allowed.reduce((sum, each) => sum + Number(each), 0)).toBe(60);
  });

  it('voids or supersedes each of 40 certificates only once when 4 processes try to do so', async () => {
    const location = await fresh();
    const ids = Array.from({ length: 40 }, (_, i) => `gcc-${i}`);
    await withStore(location, async store => {
      for (const id of ids) await store.certificates.issue({ ...newCertificate, id });
    });
    const outcomes = (await runTogether(4, 'endCertificates', location, ids)).map(line => JSON.parse(line) as string[]);
    await withStore(location, async store => {
      let superseded = 0;
      for (const [i, id] of ids.entries()) {
        const tried = outcomes.map(each => each[i]).sort();
        expect(tried).toEqual(['certificate_ended', 'certificate_ended', 'certificate_ended', 'ended']);
        const certificate = await store.certificates.get(id);
        expect(certificate?.status).toMatch(/^(voided|superseded)$/);
        if (certificate?.status === 'superseded') superseded++;
      }
      expect(await store.certificates.list({ limit: 1000 })).toHaveLength(40 + superseded);
    });
  });

  it('issues only 40 certificates when 4 processes send requests with the same 40 idempotency keys', async () => {
    const location = await fresh();
    const keys = Array.from({ length: 40 }, (_, i) => `key-${i}`);
    const outcomes = (await runTogether(4, 'certifyOnce', location, keys)).map(
      line => JSON.parse(line) as { made: boolean; answer: string }[],
    );
    for (const i of keys.keys()) {
      expect(outcomes.filter(each => each[i]?.made)).toHaveLength(1);
      expect(new Set(outcomes.map(each => each[i]?.answer)).size).toBe(1);
    }
    await withStore(location, async store => {
      const ids = (await store.certificates.list({ limit: 1000 })).map(({ id }) => id);
      expect(ids.sort()).toEqual(outcomes[0]?.map(({ answer }) => answer.split(' ')[0]).sort());
    });
  });

  it('finishes the work of a process killed before responding, without issuing a certificate twice', async () => {
    const location = await fresh();
    const keys = Array.from({ length: 2000 }, (_, i) => `key-${i}`);
    const { child, closed, begin } = await startChild();
    let made = 0;
    await withStore(location, async store => {
      begin(location, 'certifyOnce', keys);
      while (made < 20) made = (await store.certificates.list({ limit: 2000 })).length;
      child.kill('SIGKILL');
      expect(await closed).toEqual([null, 'SIGKILL']);
      made = (await store.certificates.list({ limit: 2000 })).length;
    });
    const aMinuteLater = () => childClock() + 60_000;
    await withStore(
      location,
      async store => {
        for (const key of keys.slice(0, made + 1)) {
          const begun = await store.idempotency.begin({ ...idempotent, key });
          if (begun.state !== 'new') continue;
          const { id } = begun.run;
          const issuing = store.certificates.issue({ ...newCertificate, id });
          await issuing.catch(error => expect(error).toMatchObject({ code: 'certificate_exists' }));
          await store.idempotency.finish(begun.run, id);
        }
        expect(await store.certificates.list({ limit: 2000 })).toHaveLength(made + 1);
      },
      aMinuteLater,
    );
  });

  it('keeps the row and PDF of every acknowledged certificate after kill -9', async () => {
    const location = await fresh();
    const ids = await killThreeTimes('certifyForever', location);
    await withStore(location, async store => {
      const subjects = new Set((await store.audit.list({ limit: 100_000 })).map(({ subject }) => subject));
      for (const id of ids) {
        expect(await store.certificates.get(id)).toMatchObject({ id, status: 'complete' });
        expect(Buffer.from(await store.certificates.pdf(id)).toString()).toMatch(/^%PDF-1\.7 \d+ \d+$/);
        expect(subjects).toContain(id);
      }
      for (const { id } of await store.certificates.list({ limit: 100_000 })) await store.certificates.pdf(id);
    });
  });
}

const folder = mkdtempSync(join(tmpdir(), 'compliance-processes-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const freshFolder = () => join(folder, `${count++}`);

describe('several processes on node:sqlite', () => {
  const fresh = async () => ({ dataDir: freshFolder() });

  registerProcesses(fresh);

  it('keeps every key that a process has returned, and the key’s audit entry, when the process is killed with kill -9', async () => {
    const location = await fresh();
    const keys = await killThreeTimes('issueForever', location);
    await withStore(location, async store => {
      const subjects = new Set((await store.audit.list({ limit: 100_000 })).map(({ subject }) => subject));
      for (const key of keys) {
        const record = await store.keys.authenticate(key);
        expect(record?.last4).toBe(key.slice(-4));
        expect(subjects).toContain(record?.id);
      }
    });

    const file = new DatabaseSync(join(location.dataDir, 'compliance.sqlite'));
    expect(file.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    file.close();
  });
});

await describeWithPostgres('several processes on PostgreSQL', startFresh => {
  const stops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  const freshUrl = async () => {
    const { url, stop } = await startFresh();
    stops.push(stop);
    return url;
  };

  registerProcesses(async () => ({ databaseUrl: await freshUrl(), dataDir: freshFolder() }));

  it('reads and voids certificates issued by other processes if the processes share only PostgreSQL and S3', async () => {
    const s3 = await startS3();
    stops.push(() => s3.stop());
    const location = { databaseUrl: await freshUrl(), s3: s3.options };
    const ids = await runTogether(2, 'certify', location);
    expect(new Set(ids).size).toBe(2);
    await withStore(location, async store => {
      for (const id of ids) {
        const pdf = Buffer.from(await store.certificates.pdf(id));
        expect(pdf.toString()).toMatch(/^%PDF-1\.7 \d+ \d+$/);
        expect([...s3.objects.values()]).toContainEqual(pdf);
        await store.certificates.void(id, { reason: 'Issued elsewhere', actor: 'parent' });
      }
    });
  });

  it('keeps every acknowledged certificate on PostgreSQL and S3 after kill -9', async () => {
    const s3 = await startS3();
    stops.push(() => s3.stop());
    const location = { databaseUrl: await freshUrl(), s3: s3.options };
    const ids = await killThreeTimes('certifyForever', location);
    await withStore(location, async store => {
      for (const id of ids) expect((await store.certificates.pdf(id)).length).toBeGreaterThan(10);
    });
  });

  it('stores no certificate if S3 rejects its PDF', async () => {
    const s3 = await startS3();
    stops.push(() => s3.stop());
    const location = { databaseUrl: await freshUrl(), s3: { ...s3.options, secretAccessKey: 'wrong' } };
    await withStore(location, async store => {
      await expect(store.certificates.issue(newCertificate)).rejects.toMatchObject({
        code: 'blobs_unavailable',
        message: expect.stringContaining('SignatureDoesNotMatch'),
      });
      expect(await store.certificates.list({ limit: 10 })).toEqual([]);
      expect(await store.audit.list({ limit: 10 })).toEqual([]);
    });
  });
});
