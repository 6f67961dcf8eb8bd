import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATASET, lookup } from '@compliance/core/tariff';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRepository, datasetText, newFolder, type TestRepository } from '../testing/repository.ts';
import { updateLists } from '../update/update-lists.ts';
import { compareVersions, readInstalled } from './installed-lists.ts';
import { createListsSource, type ListsSource, type ListsStatus } from './lists-source.ts';

let repository: TestRepository;
let folder: string;
let sources: ListsSource[];
const source = (onChange?: (status: ListsStatus) => void) => {
  // The interval is long, because the tests call `refresh` instead of waiting.
  const created = createListsSource({ folder, pollMs: 3_600_000, ...(onChange && { onChange }) });
  sources.push(created);
  return created;
};
const update = async (text: string) => {
  repository.publish(text);
  const trustedRoot = readFileSync(join(repository.folder, 'metadata/1.root.json'));
  return await updateLists({ folder, from: repository.folder, trustedRoot, now: new Date() });
};

beforeEach(() => {
  repository = createRepository();
  folder = newFolder();
  sources = [];
});
afterEach(() => {
  for (const each of sources) each.close();
  for (const each of [folder, repository.folder]) rmSync(each, { recursive: true, force: true });
});

describe('createListsSource', () => {
  it('uses the bundled data set until an update installs a newer one', async () => {
    const changes: string[] = [];
    const lists = source(({ version }) => changes.push(version));
    expect(lists.current()).toBe(DATASET);
    expect(lists.status()).toMatchObject({
      origin: 'bundled',
      version: DATASET.version,
      updated_at: null,
      problem: null,
    });
    await update(datasetText('2026.12.1'));
    lists.refresh();
    expect(lists.status()).toMatchObject({ origin: 'installed', version: '2026.12.1', problem: null });
    expect(lookup(['7318.15.2061'], { asOf: '2026-12-24', dataset: lists.current() }).list).toMatchObject({
      version: '2026.12.1',
      known_through: '2026-12-31',
      notice: null,
    });
    await update(datasetText('2026.12.2'));
    lists.refresh();
    lists.refresh();
    expect(changes).toEqual(['2026.12.1', '2026.12.2']);
  });

  it('uses the bundled data set if it’s newer than the installed one', async () => {
    await update(datasetText('2025.1.1'));
    expect(source().status()).toMatchObject({ origin: 'bundled', version: DATASET.version, problem: null });
  });

  it('keeps the last good data set and reports the problem if the installed one is damaged', async () => {
    await update(datasetText('2026.12.1'));
    const problems: (string | null)[] = [];
    const lists = source(({ problem }) => problems.push(problem));
    const good = lists.current();
    const { dataset, metadata } = readInstalled(folder)!;
    const pointer = readFileSync(join(folder, 'current.json'), 'utf8');
    const renamed = `dataset-${'0'.repeat(64)}.json`;
    writeFileSync(join(folder, renamed), readFileSync(join(folder, dataset!), 'utf8').replace('50', '51'));
    for (const [text, problem] of [
      [pointer.replace(dataset!, renamed), "its content doesn't match its SHA-256 hash"],
      [pointer.slice(0, 40), 'current.json is damaged'],
      [pointer.replace(dataset!, '../../etc/passwd'), 'current.json is damaged'],
      [pointer.replace(metadata, '..'), 'current.json is damaged'],
      [pointer.replace(dataset!, `dataset-${'1'.repeat(64)}.json`), 'ENOENT'],
    ] as const) {
      writeFileSync(join(folder, 'current.json'), text);
      lists.refresh();
      expect(lists.current()).toBe(good);
      expect(lists.status().problem).toContain(problem);
    }
    writeFileSync(join(folder, 'current.json'), pointer);
    lists.refresh();
    expect(lists.status().problem).toBeNull();
    expect(problems.at(-1)).toBeNull();
  });
});

it('compares versions numerically', () => {
  const versions = ['2026.11.10', '2025.12.1', '2026.2.30', '2026.11.2'];
  expect(versions.sort(compareVersions)).toEqual(['2025.12.1', '2026.2.30', '2026.11.2', '2026.11.10']);
  expect(compareVersions('2026.11.2', '2026.11.2')).toBe(0);
});
