import { DATASET } from '@compliance/core/tariff';
import { StoreError, type StoreHealth } from '@compliance/store';
import { describe, expect, it } from 'vitest';
import { createReadiness } from './readiness.ts';

const NOW = Date.UTC(2026, 10, 22);
const WRITABLE: StoreHealth = { database: null, pdfs: null };

/** Creates readiness checks with a store whose health the test controls. */
function readinessOf({ accepts = true } = {}) {
  const state = { now: NOW, health: async () => WRITABLE, calls: 0, isStopping: false };
  const readiness = createReadiness({
    store: {
      health: () => {
        state.calls++;
        return state.health();
      },
    },
    clock: () => state.now,
    pool: { accepts: () => accepts },
    isStopping: () => state.isStopping,
  });
  return { state, readiness };
}

describe('readiness', () => {
  it('reports the database, the PDF storage, the scan queue, and the age of the tariff lists', async () => {
    const { readiness } = readinessOf();
    expect(await readiness()).toEqual({
      status: 'ready',
      checks: {
        database: { status: 'ok' },
        pdfs: { status: 'ok' },
        scans: { status: 'ok' },
        lists: {
          status: expect.stringMatching(/^(ok|stale)$/),
          known_through: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          age_days: expect.any(Number),
          version: DATASET.version,
          sha256: DATASET.sha256,
        },
      },
      failure: null,
    });
  });

  it('stays ready but reports the lists as stale if the process can’t use the newest installed data set', async () => {
    const readiness = createReadiness({
      store: { health: async () => WRITABLE },
      clock: () => Date.UTC(2026, 9, 10),
      hasListsProblem: () => true,
    });
    const { status, checks } = await readiness();
    expect([status, checks.lists]).toMatchObject(['ready', { status: 'stale', error: 'lists_unusable' }]);
  });

  it('isn’t ready if the database or the PDF storage rejects writes, and reports the cause', async () => {
    for (const part of ['database', 'pdfs'] as const) {
      const { state, readiness } = readinessOf();
      const error = new StoreError('storage_full', 'Free up space in /var/lib/secret.');
      state.health = async () => ({ ...WRITABLE, [part]: error });
      const { failure, ...report } = await readiness();
      expect(report).toMatchObject({
        status: 'not_ready',
        checks: { [part]: { status: 'failed', error: 'storage_full' } },
      });
      expect(failure).toBe(error);
      expect(JSON.stringify(report)).not.toContain('secret');
    }
  });

  it('stays ready with a full scan queue and with old lists, but reports both', async () => {
    const { state, readiness } = readinessOf({ accepts: false });
    state.now += 400 * 86_400_000;
    expect(await readiness()).toMatchObject({
      status: 'ready',
      checks: { scans: { status: 'busy' }, lists: { status: 'stale' } },
    });
  });

  it('writes to the store at most once every ten seconds, or every two seconds after a failure', async () => {
    const { state, readiness } = readinessOf();
    for (let i = 0; i < 100; i++) await Promise.all([readiness(), readiness()]);
    expect(state.calls).toBe(1);
    state.now += 10_000;
    state.health = async () => Promise.reject(new Error('down'));
    expect((await readiness()).status).toBe('not_ready');
    state.health = async () => WRITABLE;
    for (let i = 0; i < 100; i++) expect((await readiness()).status).toBe('not_ready');
    expect(state.calls).toBe(2);
    state.now += 2_000;
    expect((await readiness()).status).toBe('ready');
    // An old result isn't reused after the clock is set back.
    state.now -= 86_400_000;
    await readiness();
    expect(state.calls).toBe(4);
  });

  it('reports that the process is stopping, without running the checks', async () => {
    const { state, readiness } = readinessOf();
    state.isStopping = true;
    expect(await readiness()).toEqual({ status: 'stopping', checks: {}, failure: null });
    expect(state.calls).toBe(0);
  });
});
