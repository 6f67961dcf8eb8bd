import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithPostgres, type Postgres, startS3 } from '@compliance/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from './testing/operator.ts';
import { startService } from './testing/run-cli.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** Two processes of the same service, and their shared state. */
interface Pair {
  one: Service;
  two: Service;
  /** Operator secret that both processes share. */
  secret: string;
  /** Counts the stored PDFs. */
  pdfs(): number;
  stop(): Promise<void>;
}

const start = (folder: string, env: Record<string, string> = {}) =>
  startService(['--data', folder, '--log', 'info'], env);

/**
 * Starts two processes on one machine that share a data folder, including the secrets that one of them creates in it.
 */
async function onOneFolder(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-cli-'));
  const [one, two] = await Promise.all([start(folder), start(folder)]);
  const blobs = join(folder, 'blobs');
  return {
    one,
    two,
    secret: one.readSecret('operator-secret'),
    pdfs: () =>
      existsSync(blobs) ? readdirSync(blobs, { recursive: true }).filter(name => `${name}`.endsWith('.pdf')).length : 0,
    async stop() {
      await Promise.all([one.stop(), two.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Starts two processes that simulate two machines. The processes share a database, a bucket, and the secrets in
 * environment variables.
 */
async function onDatabaseAndBucket(startPostgres: () => Promise<Postgres>): Promise<Pair> {
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3.options;
  const secret = randomBytes(32).toString('base64url');
  const env = {
    DATABASE_URL: postgres.url,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    LINK_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    OPERATOR_SECRET: secret,
  };
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'compliance-cli-')));
  const [one, two] = (await Promise.all(folders.map(folder => start(folder, env)))) as [Service, Service];
  return {
    one,
    two,
    secret,
    pdfs: () => s3.objects.size,
    async stop() {
      await Promise.all([one.stop(), two.stop()]);
      await Promise.all([postgres.stop(), s3.stop()]);
      for (const folder of folders) rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Signs in to the operator pages of a process. The returned `send` function loads a page and submits one of its forms.
 */
async function operatorOf(base: string, secret: string) {
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(base + path, {
      method: 'POST',
      headers: { Origin: base, ...headers },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  const { cookie: Cookie } = await signIn(base, secret);
  return {
    async send(page: string, action: string, fields: Record<string, string> = {}): Promise<string> {
      const text = await (await fetch(base + page, { headers: { Cookie } })).text();
      const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
      const own = Object.fromEntries(hidden.map(([, name, value]) => [name, value] as [string, string]));
      return await (await post(action, { ...own, ...fields }, { Cookie })).text();
    },
  };
}

const GENERATE = '/api/v1/entry/gcc/generate';
const LOOKUP = '/api/v1/tariff/hts/lookup';
const CODES = { codes: ['7318.15.2061'] };

const certificateOf = (name: string) => ({
  product_info: { name, date_of_manufacture: '2026-09-14', place_of_manufacture: 'Shenzhen, China' },
  manufacturer: { name: 'Velo Safety', address: '88 Keyuan Road, Shenzhen', contact_email: 'desk@velo.example' },
  testing_lab: { name: 'Pacific Test Laboratories', test_date: '2026-08-30' },
  cpsc_rules_cited: ['16 CFR 1203'],
});

/** Issued-certificate fields that these tests use. */
interface Issued {
  gcc_id: string;
  gcc_pdf_url: string;
  sha256: string;
}

async function call(base: string, key: string, path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const retryAfterSeconds = Number(response.headers.get('Retry-After'));
  return { status: response.status, body: (await response.json()) as Issued, retryAfterSeconds };
}

/** Downloads the PDF at a signed link from the specified process and returns the PDF's SHA-256 hash. */
async function downloadedHash(base: string, { gcc_pdf_url }: Issued): Promise<string> {
  const { pathname, search } = new URL(gcc_pdf_url);
  const response = await fetch(base + pathname + search);
  const body = Buffer.from(await response.arrayBuffer());
  return response.ok ? createHash('sha256').update(body).digest('hex') : `${response.status} ${body}`;
}

function describePair(startPair: () => Promise<Pair>): void {
  let pair: Pair;
  let operator: Awaited<ReturnType<typeof operatorOf>>;
  beforeAll(async () => {
    pair = await startPair();
    operator = await operatorOf(pair.one.base, pair.secret);
  });
  afterAll(() => pair.stop());

  /** Issues a key through the first process. */
  async function issue(): Promise<{ key: string; id: string }> {
    const fields = { scope: 'all', note: 'two processes', delegate: 'on' };
    const page = await operator.send('/operator/keys', '/operator/keys', fields);
    return { key: /cmpl_live_\w+/.exec(page)![0], id: /\/operator\/keys\/(key_\w+)/.exec(page)![1]! };
  }

  it('accepts a new key in both processes immediately and rejects the key as soon as it is revoked', async () => {
    const { key, id } = await issue();
    const statuses = async () => {
      const responses = await Promise.all([pair.two, pair.one].map(({ base }) => call(base, key, LOOKUP, CODES)));
      return responses.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    await operator.send(`/operator/keys/${id}`, `/operator/keys/${id}/revoke`);
    expect(await statuses()).toEqual([401, 401]);
  });

  it('serves exactly 100 of 300 requests sent with the same key within a minute', async () => {
    const { key } = await issue();
    const bases = [pair.one.base, pair.two.base];
    const calls = Array.from({ length: 300 }, (_, at) => call(bases[at % 2]!, key, LOOKUP, CODES));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    const count = (status: number) => statuses.filter(each => each === status).length;
    expect({ served: count(200), rejected: count(429) }).toEqual({ served: 100, rejected: 200 });
  });

  it('serves a certificate’s page and PDF from a different process than the one that issued it', async () => {
    const { one, two } = pair;
    const { status, body } = await call(one.base, (await issue()).key, GENERATE, certificateOf('Helmet'));
    expect([status, await downloadedHash(two.base, body)]).toEqual([200, body.sha256]);
    expect(await (await fetch(`${two.base}/gcc/${body.gcc_id}`)).text()).toContain(body.sha256);
    const forged = body.gcc_pdf_url.replace(/.$/, digit => (digit === '0' ? '1' : '0'));
    expect(await downloadedHash(two.base, { ...body, gcc_pdf_url: forged })).toMatch(/^403 /);
  });

  it('issues only one certificate per idempotency key if both processes receive the same request simultaneously', async () => {
    const { key } = await issue();
    const before = pair.pdfs();
    const retryUntilIssued = async ({ base }: Service): Promise<Issued> => {
      for (;;) {
        const headers = { 'Idempotency-Key': 'order-1' };
        const { status, body, retryAfterSeconds } = await call(base, key, GENERATE, certificateOf('Helmet'), headers);
        if (status === 200) return body;
        expect(status).toBe(409);
        // On a slow machine, retrying sooner would exceed the key's rate limit.
        await sleep(retryAfterSeconds * 1000);
      }
    };
    const issued = await Promise.all([1, 2, 3].flatMap(() => [retryUntilIssued(pair.one), retryUntilIssued(pair.two)]));
    expect(new Set(issued.map(({ gcc_id, sha256 }) => `${gcc_id} ${sha256}`)).size).toBe(1);
    expect(pair.pdfs()).toBe(before + 1);
  });

  // Keep this test last, because it kills a process.
  it('keeps every certificate that was confirmed before a process was killed', async () => {
    const { one, two } = pair;
    const { key } = await issue();
    const confirmed: Issued[] = [];
    const work = async (): Promise<void> => {
      for (;;) {
        const { status, body } = await call(one.base, key, GENERATE, certificateOf(`Helmet ${confirmed.length}`));
        expect(status).toBe(200);
        confirmed.push(body);
        if (confirmed.length === 40) one.child.kill('SIGKILL');
      }
    };
    const ends = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(work));
    // Every loop ends with a TypeError when its connection is dropped. Unlike a dropped connection, an error response
    // would cause an AssertionError.
    expect(ends.map(end => end.status === 'rejected' && end.reason.name)).toEqual(Array(6).fill('TypeError'));
    expect(await one.closed).toEqual([null, 'SIGKILL']);
    expect(confirmed.length).toBeGreaterThanOrEqual(40);
    const downloaded = await Promise.all(confirmed.map(issued => downloadedHash(two.base, issued)));
    expect(downloaded).toEqual(confirmed.map(({ sha256 }) => sha256));
  });
}

describe('a service with two processes that share a data folder', () => describePair(onOneFolder));

await describeWithPostgres('a service with two processes on one PostgreSQL database and one bucket', startFresh =>
  describePair(() => onDatabaseAndBucket(startFresh)),
);
