import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from './index.ts';
import { childClock, endAll, killThrice, type Place, startChild, startChildren, together } from './testing/children.ts';
import { describeWithPostgres, startS3 } from './testing/index.ts';

const newCertificate = { family: 'fam_shared', record: '{}', pdf: Buffer.from('%PDF-1.7'), actor: 'parent' };

/** As the children ask. */
const idempotent = { family: 'fam_shared', operation: 'certify', fingerprint: 'body' };

/** Reads all as a process does that comes later. */
async function afterwards(place: Place, look: (store: Store) => Promise<void>, clock = childClock): Promise<void> {
  const store = await openStore({ ...place, clock });
  await look(store);
  await store.close();
}

function registerProcesses(fresh: () => Promise<Place>): void {
  it('6 processes open the same fresh database at once, ten times over', async () => {
    const children = await startChildren(6, 'open');
    for (let round = 0; round < 10; round++) {
      const place = await fresh();
      const ids = await together(children, place);
      await afterwards(place, async store => {
        expect((await store.keys.list()).map(({ id }) => id).sort()).toEqual(ids.sort());
        expect(await store.usage.daily({ days: 1 })).toMatchObject([{ operation: 'open', count: 6 }]);
      });
    }
    await endAll(children);
  });

  it('4 processes with 100 tries each on one family are allowed exactly 100', async () => {
    const children = await startChildren(4, 'take');
    const allowed = await together(children, await fresh());
    expect(allowed.reduce((sum, each) => sum + Number(each), 0)).toBe(100);
    await endAll(children);
  });

  it('4 processes that void or supersede the same 40 certificates end each exactly once', async () => {
    const children = await startChildren(4, 'endCertificates');
    const place = await fresh();
    const ids = Array.from({ length: 40 }, (_, i) => `gcc-${i}`);
    await afterwards(place, async store => {
      for (const id of ids) await store.certificates.issue({ ...newCertificate, id });
    });
    const outcomes = (await together(children, place, ids)).map(line => JSON.parse(line) as string[]);
    await afterwards(place, async store => {
      let superseded = 0;
      for (const [i, id] of ids.entries()) {
        const tried = outcomes.map(each => each[i]).sort();
        expect(tried).toEqual(['certificate_ended', 'certificate_ended', 'certificate_ended', 'ended']);
        const certificate = await store.certificates.get(id);
        expect(certificate?.status).toMatch(/^(void|superseded)$/);
        if (certificate?.status === 'superseded') superseded++;
      }
      expect(await store.certificates.list({ limit: 1000 })).toHaveLength(40 + superseded);
    });
    await endAll(children);
  });

  it('4 processes with the same 40 idempotency keys make 40 certificates and give the same 40 answers', async () => {
    const children = await startChildren(4, 'certifyOnce');
    const place = await fresh();
    const keys = Array.from({ length: 40 }, (_, i) => `key-${i}`);
    const outcomes = (await together(children, place, keys)).map(
      line => JSON.parse(line) as { made: boolean; answer: string }[],
    );
    for (const i of keys.keys()) {
      expect(outcomes.filter(each => each[i]?.made)).toHaveLength(1);
      expect(new Set(outcomes.map(each => each[i]?.answer)).size).toBe(1);
    }
    await afterwards(place, async store => {
      const ids = (await store.certificates.list({ limit: 1000 })).map(({ id }) => id);
      expect(ids.sort()).toEqual(outcomes[0]?.map(({ answer }) => answer.split(' ')[0]).sort());
    });
    await endAll(children);
  });

  it('a process that is killed between making and answering has its work finished by another, and none is made twice', async () => {
    const place = await fresh();
    const keys = Array.from({ length: 2000 }, (_, i) => `key-${i}`);
    const { child, closed, begin } = await startChild('certifyOnce');
    let made = 0;
    await afterwards(place, async store => {
      begin(place, keys);
      while (made < 20) made = (await store.certificates.list({ limit: 2000 })).length;
      child.kill('SIGKILL');
      expect(await closed).toEqual([null, 'SIGKILL']);
      made = (await store.certificates.list({ limit: 2000 })).length;
    });
    const aMinuteLater = () => childClock() + 60_000;
    await afterwards(
      place,
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

  it('every certificate that was acknowledged has its row and PDF after kill -9', async () => {
    const place = await fresh();
    const ids = await killThrice('certifyForever', place);
    await afterwards(place, async store => {
      const subjects = new Set((await store.audit.list({ limit: 100_000 })).map(({ subject }) => subject));
      for (const id of ids) {
        expect(await store.certificates.get(id)).toMatchObject({ id, status: 'valid' });
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

  it('every key that was given out works after kill -9, with its audit entry', async () => {
    const place = await fresh();
    const keys = await killThrice('issueForever', place);
    await afterwards(place, async store => {
      const subjects = new Set((await store.audit.list({ limit: 100_000 })).map(({ subject }) => subject));
      for (const key of keys) {
        const record = await store.keys.authenticate(key);
        expect(record?.last4).toBe(key.slice(-4));
        expect(subjects).toContain(record?.id);
      }
    });

    const file = new DatabaseSync(join(place.dataDir, 'compliance.sqlite'));
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

  it('that share nothing but PostgreSQL and S3 read the certificates of each other', async () => {
    const s3 = await startS3();
    stops.push(() => s3.stop());
    const place = { databaseUrl: await freshUrl(), s3: s3.options };
    const children = await startChildren(2, 'certify');
    const ids = await together(children, place);
    expect(new Set(ids).size).toBe(2);
    await endAll(children);
    await afterwards(place, async store => {
      for (const id of ids) {
        const pdf = Buffer.from(await store.certificates.pdf(id));
        expect(pdf.toString()).toMatch(/^%PDF-1\.7 \d+ \d+$/);
        expect([...s3.objects.values()]).toContainEqual(pdf);
        await store.certificates.void(id, { reason: 'Issued elsewhere', actor: 'parent' });
      }
    });
  });

  it('lose no acknowledged certificate to kill -9 on PostgreSQL and S3', async () => {
    const s3 = await startS3();
    stops.push(() => s3.stop());
    const place = { databaseUrl: await freshUrl(), s3: s3.options };
    const ids = await killThrice('certifyForever', place);
    await afterwards(place, async store => {
      for (const id of ids) expect((await store.certificates.pdf(id)).length).toBeGreaterThan(10);
    });
  });

  it('keep no certificate whose PDF S3 does not take', async () => {
    const s3 = await startS3();
    stops.push(() => s3.stop());
    const place = { databaseUrl: await freshUrl(), s3: { ...s3.options, secretAccessKey: 'wrong' } };
    await afterwards(place, async store => {
      await expect(store.certificates.issue(newCertificate)).rejects.toMatchObject({
        code: 'blobs_unavailable',
        message: expect.stringContaining('SignatureDoesNotMatch'),
      });
      expect(await store.certificates.list({ limit: 10 })).toEqual([]);
      expect(await store.audit.list({ limit: 10 })).toEqual([]);
    });
  });
});
