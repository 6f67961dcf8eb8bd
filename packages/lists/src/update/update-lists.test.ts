import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadDataset } from '@compliance/core/tariff/dataset';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readInstalled } from '../installed/installed-lists.ts';
import { publishDataset } from '../repository/publish-dataset.ts';
import { publishRoot } from '../repository/publish-root.ts';
import { createRepository, datasetText, newFolder, newKey, type TestRepository } from '../testing/repository.ts';
import type { UpdateError } from './update-error.ts';
import { updateLists } from './update-lists.ts';

const NOW = new Date();
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const made: string[] = [];
const folderFor = () => {
  const folder = newFolder();
  made.push(folder);
  return folder;
};
const copyOf = (folder: string) => {
  const copy = folderFor();
  cpSync(folder, copy, { recursive: true });
  return copy;
};
const rootOf = (folder: string) => readFileSync(join(folder, 'metadata/1.root.json'));
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

let repository: TestRepository;
let folder: string;
const update = (from: string, trustedRoot: Uint8Array = rootOf(repository.folder)) =>
  updateLists({ folder, from, trustedRoot, now: NOW });
const refusal = async (from: string, trustedRoot?: Uint8Array): Promise<UpdateError> =>
  await update(from, trustedRoot).then(
    () => expect.fail('the update was accepted'),
    error => error,
  );
const installedVersion = () => {
  const { dataset } = readInstalled(folder)!;
  return loadDataset(readFileSync(join(folder, dataset!), 'utf8')).version;
};

beforeEach(() => {
  repository = createRepository();
  made.push(repository.folder);
  repository.publish(datasetText('2026.12.1'));
  folder = folderFor();
});

describe('updateLists', () => {
  it('installs a data set from a folder, and then a newer one', async () => {
    expect(await update(repository.folder)).toMatchObject({ version: '2026.12.1', previous: null });
    expect(await update(repository.folder)).toMatchObject({ version: '2026.12.1', previous: '2026.12.1' });
    repository.publish(datasetText('2026.12.2'));
    expect(await update(repository.folder)).toMatchObject({ version: '2026.12.2', previous: '2026.12.1' });
    expect(installedVersion()).toBe('2026.12.2');
  });

  it('installs a data set from an HTTP server and remembers its URL', async () => {
    const requested: string[] = [];
    const server = createServer((request, response) => {
      requested.push(request.url!);
      const file = join(repository.folder, request.url!.replace('/lists/', ''));
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lists`;
    expect(await update(url)).toMatchObject({ version: '2026.12.1', from: url });
    repository.publish(datasetText('2026.12.2'));
    expect(await updateLists({ folder, now: NOW })).toMatchObject({ version: '2026.12.2', from: url });
    expect(requested).toContain('/lists/metadata/timestamp.json');
    server.close();
    server.closeAllConnections();
    expect(await refusal(url)).toMatchObject({ reason: 'unreachable' });
    expect(installedVersion()).toBe('2026.12.2');
  });

  it('requires a trusted root for the first update, and refuses a repository with a different root', async () => {
    const first = updateLists({ folder, from: repository.folder, now: NOW });
    await expect(first).rejects.toMatchObject({ reason: 'no_root' });
    const otherRepository = createRepository();
    made.push(otherRepository.folder);
    expect(await refusal(repository.folder, rootOf(otherRepository.folder))).toMatchObject({ reason: 'tampered' });
    expect(readInstalled(folder)).toBeNull();
  });

  it('refuses a repository if any byte was changed, and keeps the installed data set', async () => {
    await update(repository.folder);
    const installed = folder;
    repository.publish(datasetText('2026.12.2'));
    const changed = globSync('{metadata/{timestamp,2.*}.json,targets/*}', { cwd: repository.folder });
    const newest = changed.filter(
      path => !path.startsWith('targets/') || readFileSync(join(repository.folder, path), 'utf8').includes('2026.12.2'),
    );
    expect(newest).toHaveLength(4);
    for (const path of newest) {
      for (const part of [0.02, 0.3, 0.5, 0.7, 0.98]) {
        const copy = copyOf(repository.folder);
        const bytes = readFileSync(join(copy, path));
        const at = Math.floor(bytes.length * part);
        bytes[at] = bytes[at]! ^ 1;
        writeFileSync(join(copy, path), bytes);
        folder = copyOf(installed);
        expect(await refusal(copy)).toMatchObject({ reason: 'tampered' });
        expect(installedVersion()).toBe('2026.12.1');
      }
    }
  });

  it('reports that the lists folder isn’t writable instead of blaming the repository', async () => {
    const [name = ''] = globSync('targets/*', { cwd: repository.folder });
    const [sha256 = ''] = /[0-9a-f]{64}/.exec(name) ?? [];
    mkdirSync(join(folder, `dataset-${sha256}.json`));
    expect(await refusal(repository.folder)).toMatchObject({
      reason: 'not_writable',
      message: expect.stringMatching(/^Can't write to .+ \(E[A-Z]+\)\. Check the folder's permissions/),
    });
    const file = join(folder, 'file');
    writeFileSync(file, '');
    folder = join(file, 'lists');
    expect(await refusal(repository.folder)).toMatchObject({ reason: 'not_writable' });
  });

  it('refuses an older repository, even after an update that was refused for another reason', async () => {
    const older = copyOf(repository.folder);
    repository.publish(datasetText('2026.12.2'));
    await update(repository.folder);
    expect(await refusal(older)).toMatchObject({ reason: 'older' });
    const middle = copyOf(repository.folder);
    repository.publish(datasetText('2026.12.3'));
    const damaged = copyOf(repository.folder);
    for (const target of globSync('targets/*', { cwd: damaged })) writeFileSync(join(damaged, target), '{}');
    expect(await refusal(damaged)).toMatchObject({ reason: 'tampered' });
    expect(await refusal(middle)).toMatchObject({ reason: 'older' });
    expect(installedVersion()).toBe('2026.12.2');
    expect(await update(repository.folder)).toMatchObject({ version: '2026.12.3' });
  });

  it('refuses an expired repository until it’s renewed', async () => {
    const expired = createRepository(later(-30));
    made.push(expired.folder);
    expired.publish(datasetText('2026.12.1'), { now: later(-30), days: 7 });
    expect(await refusal(expired.folder, rootOf(expired.folder))).toMatchObject({ reason: 'expired' });
    expired.publish(null, { now: later(-1), days: 7 });
    const error = await refusal(expired.folder, rootOf(expired.folder));
    expect(error).toMatchObject({ reason: 'expired', message: expect.stringContaining('targets.json') });
    expired.publish(datasetText('2026.12.2'), { now: NOW });
    expect(await update(expired.folder, rootOf(expired.folder))).toMatchObject({ version: '2026.12.2' });
  });

  it('names the missing file if a repository was copied only partially', async () => {
    await update(repository.folder);
    repository.publish(datasetText('2026.12.2'));
    const needed = ['metadata/timestamp.json', 'metadata/2.snapshot.json', 'metadata/2.targets.json'];
    const [target] = globSync('targets/*', { cwd: repository.folder }).filter(path =>
      readFileSync(join(repository.folder, path), 'utf8').includes('2026.12.2'),
    );
    for (const path of [...needed, target!]) {
      const copy = copyOf(repository.folder);
      rmSync(join(copy, path));
      const error = await refusal(copy);
      expect(error).toMatchObject({ reason: 'incomplete', message: expect.stringContaining(`${path} is missing`) });
      const half = copyOf(repository.folder);
      const bytes = readFileSync(join(half, path));
      writeFileSync(join(half, path), bytes.subarray(0, bytes.length / 2));
      expect((await refusal(half)).reason).toBe('tampered');
      expect(installedVersion()).toBe('2026.12.1');
    }
    expect(await update(repository.folder)).toMatchObject({ version: '2026.12.2' });
  });

  it('refuses to publish an unreadable data set, and to update from a repository without a data set', async () => {
    const other = createRepository();
    made.push(other.folder);
    expect(() => other.publish(JSON.stringify({ format: '2.0' }))).toThrow('Upgrade @compliance/core.');
    expect(() => other.publish('{}')).toThrow('The data set is invalid');
    await expect(update(other.folder, rootOf(other.folder))).rejects.toMatchObject({ reason: 'incomplete' });
  });

  it('follows a root key rotation signed by enough of the previous keys', async () => {
    await update(repository.folder);
    const online = newKey();
    const next = [newKey(), newKey(), newKey()];
    const role = { keys: [online.key], threshold: 1 };
    const roles = {
      root: { keys: next.map(({ key }) => key), threshold: 2 },
      targets: role,
      snapshot: role,
      timestamp: role,
    };
    const rotate = (signers: typeof next) => publishRoot(repository.folder, { roles, signers, now: NOW, days: 365 });
    expect(() => rotate(next)).toThrow('The previous root requires 2 signatures for the root role');
    expect(() => rotate([...repository.keys.root, next[0]!])).toThrow('The new root requires 2 signatures');
    expect(rotate([...repository.keys.root, next[0]!, next[2]!])).toMatchObject({ version: 2 });
    expect(() => repository.publish(datasetText('2026.12.2'))).toThrow('Pass more targets keys.');
    const days = { targets: 7, snapshot: 7, timestamp: 7 };
    publishDataset(repository.folder, { dataset: datasetText('2026.12.2'), signers: [online], now: NOW, days });
    expect(await update(repository.folder)).toMatchObject({ version: '2026.12.2' });
  });

  it('leaves either the old or the new data set in place if the process is killed', { timeout: 60_000 }, async () => {
    const repositories: string[] = [];
    for (let version = 2; version < 14; version++) {
      repositories.push(copyOf(repository.folder));
      repository.publish(datasetText(`2026.12.${version}`));
    }
    const script = join(import.meta.dirname, '../testing/update-process.ts');
    const root = join(repository.folder, 'metadata/1.root.json');
    const found = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const args = ['--conditions=@compliance/source', script, folder, root, ...repositories];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      // Wait for the first update, and then kill the process in the middle of a later one.
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
      await new Promise(resolve => setTimeout(resolve, 20 + round * 37));
      child.kill('SIGKILL');
      await once(child, 'close');
      found.add(installedVersion());
      rmSync(folder, { recursive: true, force: true });
      folder = folderFor();
    }
    expect([...found].every(version => /^2026\.12\.\d+$/.test(version))).toBe(true);
    await update(repositories[0]!);
    expect(await update(repository.folder)).toMatchObject({ version: '2026.12.13' });
  });
});
