import { join } from 'node:path';
import { bundledDataset, hashOf, loadDataset } from '@compliance/core/tariff/dataset';
import { createSigningKey, publishDataset, publishRoot, readSigningKey } from '@compliance/lists';
import { temporaryFolder } from './run-cli.ts';

/**
 * Creates a repository that contains the bundled data set without its upholstered furniture list. One key signs all
 * metadata.
 */
export function createRepository(version: string) {
  const repository = join(temporaryFolder(), 'repository');
  const signer = readSigningKey(createSigningKey().privateKey);
  const role = { keys: [signer.key], threshold: 1 };
  const roles = { root: role, targets: role, snapshot: role, timestamp: role };
  const { file: root } = publishRoot(repository, { roles, signers: [signer], now: new Date(), days: 1 });
  const without = (lists: readonly string[]) => lists.filter(id => id !== 'upholstered-furniture-37d');
  const bundled = bundledDataset();
  const content = {
    ...{ ...bundled, version, known_through: '2026-12-31' },
    lists: bundled.lists.filter(({ id }) => without([id]).length > 0),
    headings: bundled.headings
      .map(heading => ({ ...heading, lists: without(heading.lists) }))
      .filter(({ lists }) => lists.length > 0),
  };
  const dataset = { ...content, sha256: hashOf(content) };
  publishDataset(repository, {
    dataset: JSON.stringify(dataset),
    ...{ signers: [signer], now: new Date(), days: { targets: 1, snapshot: 1, timestamp: 1 } },
  });
  return { repository, root, dataset: loadDataset(dataset) };
}
