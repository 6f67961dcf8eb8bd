import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { lookup } from '@compliance/core/tariff';
import { bundledDataset, hashOf, loadDataset } from '@compliance/core/tariff/dataset';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { datasetFiles } from './dataset-files.ts';

const dataset = loadDataset(bundledDataset());
const files = datasetFiles(dataset, { commit: 'abc' });
const textOf = (path: string) => new TextDecoder().decode(files.get(path));
const rowsOf = (path: string): Record<string, string>[] => parse(textOf(path), { columns: true });

describe('a data release', () => {
  it('has the same version as the data set (if not, run `pnpm gen`)', () => {
    const { version, dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(version).toBe(dataset.version);
    expect(dependencies).toBeUndefined();
  });

  it('contains the same data set as the library', () => {
    const loaded = loadDataset(textOf('dataset.json'));
    const asked = { asOf: '2026-11-21', origin: 'JP' };
    const codes = ['7318.15.2061', '8708.99.8180', '9403.20'];
    expect(lookup(codes, { ...asked, dataset: loaded })).toEqual(lookup(codes, asked));
    expect(loaded.reviewed).toEqual(bundledDataset().reviewed);
  });

  it('matches the published JSON Schema, which also rejects a listing without a citation', () => {
    const validate = new Ajv2020({ strict: false, formats: { date: true } }).compile(
      JSON.parse(textOf('dataset.schema.json')),
    );
    const value = JSON.parse(textOf('dataset.json'));
    expect(validate(value)).toBe(true);
    delete value.lists[0].terms[0].citation;
    expect(validate(value)).toBe(false);
    expect(validate.errors![0]).toMatchObject({ instancePath: '/lists/0/terms/0', keyword: 'required' });
  });

  it('has the same bytes in every build', () => {
    expect(datasetFiles(dataset, { commit: 'abc' })).toEqual(files);
  });

  it('has a checksum for every file', () => {
    const sums = textOf('SHA256SUMS')
      .trim()
      .split('\n')
      .map(line => line.split('  '));
    const actual = [...files].filter(([path]) => path !== 'SHA256SUMS');
    expect(sums).toEqual(actual.map(([path, bytes]) => [createHash('sha256').update(bytes).digest('hex'), path]));
    const provenance = JSON.parse(textOf('provenance.json'));
    expect(provenance).toMatchObject({ commit: 'abc', dataset: { version: dataset.version, sha256: dataset.sha256 } });
    for (const [path, { sha256 }] of Object.entries<{ sha256: string }>(provenance.files)) {
      expect(sums).toContainEqual([sha256, path]);
    }
  });

  it('lists every provision in CSV with its duty, dates, and citation', () => {
    const rows = rowsOf('csv/listings.csv');
    const on = (date: string) =>
      rows.filter(row => row.effective_from! <= date && (row.effective_to || '9999') >= date);
    const metals = on('2026-06-08').filter(row => ['steel', 'aluminum', 'copper'].includes(row.program!));
    expect(metals).toHaveLength(742);
    expect(rows.filter(({ citation, sources }) => !citation || !sources)).toEqual([]);
    expect(on('2026-11-21').find(({ hts }) => hts === '7318.15.20')).toMatchObject({
      list: 'steel-16c-iv',
      headings: '9903.82.02',
      rate_pct: '50',
      effective_from: '2026-04-06',
      effective_to: '',
      date_is_legal: 'true',
    });
  });

  it.each(['listings', 'headings', 'sources'])('has the same rows in CSV and Parquet: %s', async name => {
    const bytes = files.get(`parquet/${name}.parquet`)!;
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const rows = await parquetReadObjects({ file: buffer });
    const asText = (value: unknown) =>
      value == null ? '' : value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
    const printed = rows.map(row =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, asText(value)])),
    );
    expect(printed).toEqual(rowsOf(`csv/${name}.csv`));
    expect(rows.length).toBeGreaterThan(20);
  });

  it('escapes text that a spreadsheet would evaluate as a formula', () => {
    const { sha256: _, ...copy } = structuredClone(bundledDataset());
    copy.lists[0]!.title = '=HYPERLINK("https://example.com")';
    const changed = datasetFiles(loadDataset({ ...copy, sha256: hashOf(copy) }), { commit: null });
    expect(new TextDecoder().decode(changed.get('csv/listings.csv'))).toContain(`"'=HYPERLINK(""https`);
  });
});
