import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatasetDiff } from '@compliance/core/tariff';
import { bundledDataset, hashOf } from '@compliance/core/tariff/dataset';
import { describe, expect, it } from 'vitest';
import { expectRefusal, runCli, temporaryFolder } from '../../testing/run-cli.ts';

describe('compliance lists diff', () => {
  it('reports that identical data sets have the same facts, and prints differences as text or JSON', async () => {
    const file = join(temporaryFolder(), 'dataset.json');
    const dataset = structuredClone({ ...bundledDataset(), version: '2026.12.1' });
    const buses = dataset.lists.find(({ id }) => id === 'buses-38c')!;
    buses.batches[0]!.effective_to = '2026-12-31';
    buses.terms[0]!.rate_pct = 12;
    dataset.caveats.scheduled = 'Changed\u001b[2J';
    writeFileSync(file, JSON.stringify({ ...dataset, sha256: hashOf(dataset) }));

    const [same, text, json] = await Promise.all([
      runCli(['lists', 'diff', 'bundled', 'bundled']),
      runCli(['lists', 'diff', 'bundled', file]),
      runCli(['lists', 'diff', 'bundled', file, '--json']),
    ]);
    expect([same.exitCode, same.stdout]).toEqual([
      0,
      expect.stringContaining('The contents of the data sets are identical, apart from their versions and dates.'),
    ]);
    expect(text.exitCode).toBe(1);
    expect(text.stdout).toContain('Provisions (10)');
    expect(text.stdout).toContain('10 last day 2026-12-31');
    expect(text.stdout.replace(/\s+/g, ' ')).toContain('→ 12% additional duty on the full customs value');
    expect(text.stdout).not.toContain('\u001b[2J');
    const diff: DatasetDiff = JSON.parse(json.stdout);
    expect(diff.provisions).toHaveLength(10);
    expect(diff.after).toMatchObject({ version: '2026.12.1' });
  });

  it('rejects a file that isn’t a data set', async () => {
    const file = join(temporaryFolder(), 'dataset.json');
    writeFileSync(file, '{"format":"9.0"}');
    await expectRefusal(['lists', 'diff', 'bundled', file], 'Upgrade @compliance/core.');
  });
});
