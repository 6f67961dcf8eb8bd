import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Compliance } from './client.ts';
import type { Job } from './models.gen.ts';

it('downloads a job’s certificates without sending the API key, and rejects a job without certificates', async () => {
  const received: (string | undefined)[] = [];
  const server = createServer(({ url, headers }, response) => {
    received.push(url, headers.authorization);
    response.end('PK');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Compliance({ apiKey: 'key', baseURL: base });
  const job = { certificates_url: `${base}/jobs/blk_1/certificates?sig=a` } as Job;
  expect(await new Response(await client.downloadJobCertificates(job)).text()).toBe('PK');
  expect(received).toEqual(['/jobs/blk_1/certificates?sig=a', undefined]);
  // Earlier versions of the service don't send the field.
  for (const other of [{ certificates_url: null }, {}])
    await expect(client.downloadJobCertificates(other as Job)).rejects.toThrow("doesn't issue certificates");
});
