import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StandIn, startStandIn } from '../../stand-in/stand-in.ts';
import { wireFetch } from '../../stand-in/wire-fetch.ts';
import { askStorage } from './storage.ts';

const how = { signal: new AbortController().signal, patience: 5_000 };

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn([]);
  wireFetch(standIn);
});
afterAll(() => standIn.close());

describe('the storage of Shopify', () => {
  it.each(['http://storage.googleapis.com/x', 'file:///etc/passwd', 'data:text/plain,x', 'no address', ''])(
    'is not asked at %j',
    async url => {
      await expect(askStorage(url, how)).rejects.toThrow('no https address');
    },
  );

  it('is not followed to another place', async () => {
    standIn.faults.plan({ kind: 'status', status: 302 }, { operation: 'storage' });
    await expect(askStorage('https://cdn.shopify.com/x', how)).rejects.toThrow(TypeError);
  });

  it('is waited for no longer than the caller has patience', async () => {
    standIn.faults.plan({ kind: 'slow', ms: 3_000 }, { operation: 'storage' });
    await expect(askStorage('https://cdn.shopify.com/x', { ...how, patience: 50 })).rejects.toThrow(/timeout/i);
  });
});
