import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledDataset, type Dataset, hashOf } from '@compliance/core/tariff/dataset';
import { createSigningKey, readSigningKey, type SigningKey } from '../keys/keys.ts';
import { publishDataset } from '../repository/publish-dataset.ts';
import { publishRoot } from '../repository/publish-root.ts';

/** Returns a new key. */
export const newKey = (): SigningKey => readSigningKey(createSigningKey().privateKey);

/** Returns a new temporary folder. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'compliance-lists-'));

/** Returns the JSON text of the bundled data set with a different version and the given changes. */
export function datasetText(version: string, change: Partial<Dataset> = {}): string {
  const dataset = { ...bundledDataset(), version, known_through: '2026-12-31', ...change };
  return JSON.stringify({ ...dataset, sha256: hashOf(dataset) });
}

/** A repository on disk with two root keys, both of which must sign, and one key for all other roles. */
export interface TestRepository {
  readonly folder: string;
  readonly keys: { readonly root: SigningKey[]; readonly online: SigningKey };
  /** Publishes a data set, or renews the metadata if the text is null. */
  publish(text: string | null, options?: { now?: Date; days?: number }): void;
}

/** Creates a repository with a root. */
export function createRepository(now = new Date()): TestRepository {
  const folder = newFolder();
  const keys = { root: [newKey(), newKey()], online: newKey() };
  const online = { keys: [keys.online.key], threshold: 1 };
  publishRoot(folder, {
    roles: {
      root: { keys: keys.root.map(({ key }) => key), threshold: 2 },
      ...{ targets: online, snapshot: online, timestamp: online },
    },
    signers: keys.root,
    now,
    days: 365,
  });
  return {
    folder,
    keys,
    publish: (dataset, { now: at = now, days = 7 } = {}) => {
      publishDataset(folder, {
        dataset,
        signers: [keys.online],
        now: at,
        days: { targets: days, snapshot: days, timestamp: days },
      });
    },
  };
}
