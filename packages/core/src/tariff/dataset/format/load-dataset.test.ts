import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDataset } from '../../../../scripts/gen-dataset.ts';
import { assess } from '../../assess/assess.ts';
import { checkLists } from '../../history/check-lists.ts';
import { checkNotes } from '../../history/check-notes.ts';
import { compare } from '../../history/compare.ts';
import { listsInForce } from '../../history/in-force.ts';
import { listHistories } from '../../history/list-history.ts';
import { lookup } from '../../lookup/lookup.ts';
import { DATASET, type Dataset } from '../dataset.ts';
import { PROVISIONS } from '../testing/bundled.ts';
import { hashOf } from './hash.ts';
import { DatasetError, loadDataset } from './load-dataset.ts';

const JSON_TEXT = JSON.stringify(buildDataset());
const ASKED = { asOf: '2026-11-21', origin: 'DE' };

/** Returns a copy of the data set that a test can change. */
// biome-ignore lint/suspicious/noExplicitAny: tests write values of every type
const copy = (): any => JSON.parse(JSON_TEXT);
const sealed = <T extends object>(value: T) => ({ ...value, sha256: hashOf(value) });
// biome-ignore lint/suspicious/noExplicitAny: tests write values of every type
const changed = (change: (value: any) => void) => {
  const value = copy();
  change(value);
  return sealed(value);
};
const errorOf = (json: unknown) => {
  try {
    loadDataset(json);
  } catch (error) {
    if (error instanceof DatasetError) return error;
    throw error;
  }
  return null;
};

/** Loads a data set with a new program, whose three lists are in a new U.S. note. */
const withTungsten = () =>
  loadDataset(
    changed(data => {
      data.version = '2026.12.1';
      data.known_through = '2026-12-05';
      data.programs.tungsten = 'tungsten';
      data.sources['hts-2026-rev-30'] = { title: 'HTS 2026 Revision 30', address: 'Invented', reading: 'official' };
      const interval = { effective_from: '2026-12-01', effective_to: null, dated_by: { legal: 'Proclamation 12345' } };
      const cited = { citation: 'Proclamation 12345', sources: ['hts-2026-rev-30'] };
      const codes = ['8101.10.00', '8101.94.00', '8101.96.00'];
      for (const [index, code] of codes.entries()) {
        const letter = 'bcd'[index];
        data.lists.push({
          id: `tungsten-44${letter}`,
          title: 'Tungsten',
          program: 'tungsten',
          role: 'article',
          note: `U.S. note 44(${letter}), subchapter III, chapter 99, HTS`,
          terms: [
            {
              ...{
                ...interval,
                ...cited,
                annex: null,
                headings: ['9903.83.01'],
                rate_pct: 25,
                rate_type: 'additional',
              },
              value_basis: 'full_customs_value',
            },
          ],
          batches: [{ ...interval, ...cited, provisions: [code] }],
        });
      }
    }),
  );

describe('loadDataset', () => {
  const dataset = loadDataset(JSON_TEXT);

  it('returns the same results for a loaded copy as for the bundled data set', () => {
    const codes = [...new Set(PROVISIONS.flatMap(({ hts, prefix }) => [hts, prefix.slice(0, 6)])), '0101.21.00', 'abc'];
    expect(lookup(codes, { ...ASKED, dataset })).toEqual(lookup(codes, ASKED));
    expect(listHistories(dataset)).toEqual(listHistories());
    expect(compare('2026-04-05', '2026-04-06', 'all', dataset)).toEqual(compare('2026-04-05', '2026-04-06'));
  });

  it('accepts a parsed value and isn’t affected by later changes to that value', () => {
    const value = copy();
    const loaded = loadDataset(value);
    value.lists = [];
    expect(listsInForce('2026-11-21', loaded)).toEqual(listsInForce('2026-11-21'));
  });

  it('identifies the loaded data set in every result', () => {
    const other = withTungsten();
    const { version, known_through, sha256 } = other;
    const name = { version, known_through, sha256 };
    expect(version).toBe('2026.12.1');
    expect(sha256).not.toBe(DATASET.sha256);
    const options = { asOf: '2026-12-02', dataset: other };
    const article = { code: '7318.15.2061', as_of: '2026-12-02', origin: 'DE' };
    const notes = '44. (b) Tungsten:\n8101.10.00';
    const rows = [
      { htsno: '8101.10.00', indent: '0', description: 'Tungsten', general: 'Free' },
      { htsno: '9903.83.01', indent: '0', description: 'U.S. note 44', general: '25%' },
    ];
    expect(lookup(['7318.15.2061'], options).list).toMatchObject(name);
    expect(assess(article, { dataset: other })).toMatchObject({ data_set: { version, sha256 }, known_through });
    expect(compare('2026-11-30', '2026-12-01', 'all', other)).toMatchObject(name);
    expect(listsInForce('2026-12-02', other)).toMatchObject(name);
    expect(checkNotes(notes, '2026-12-02', other)).toMatchObject(name);
    expect(checkLists(rows, 'HTS 2026 Revision 30', options)).toMatchObject(name);
  });

  it('loads a data set with a program that isn’t in this release', () => {
    const other = withTungsten();
    const [result] = lookup(['8101.94.00'], { asOf: '2026-12-01', dataset: other }).results;
    expect(result!.message).toContain('On the tungsten list since 2026-12-01: 25% additional duty');
    expect(lookup(['8101.94.00'], { asOf: '2026-12-01' }).results[0]!.status).toBe('clear');
    expect(
      lookup(['8101.94.00'], { asOf: '2026-12-01', programs: ['tungsten'], dataset: other }).results[0]!.status,
    ).toBe('in_scope');
    expect(() => lookup(['8101.94.00'], { asOf: '2026-12-01', programs: ['tungsten'] })).toThrow('programs must be');
    expect(compare('2026-11-30', '2026-12-01', ['tungsten'], other).added).toHaveLength(3);
    expect(compare('2026-11-30', '2026-12-01').added).toEqual([]);
    expect(
      assess(
        { code: '8101.94.00', as_of: '2026-12-01', origin: 'CN', facts: { customs_value: 100 } },
        { dataset: other },
      ),
    ).toMatchObject({ total_232: 25 });
    const { unknown } = checkNotes('44. (b) Tungsten:\n8101.10.00\n(e) More:\n8101.97.00', '2026-12-02', other);
    expect(unknown).toEqual([{ subdivision: '44(e)', codes: 1 }]);
  });

  it('returns separate results for two data sets', () => {
    const other = withTungsten();
    const codes = ['8101.94.00'];
    for (let i = 0; i < 3; i++) {
      expect(lookup(codes, { asOf: '2026-12-01', dataset: other }).results[0]!.status).toBe('in_scope');
      expect(lookup(codes, { asOf: '2026-12-01' }).results[0]!.status).toBe('clear');
    }
  });

  it('loads a data set with reordered fields, and reloads it with the same hash', () => {
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, each]) => [key, reversed(each)]),
            )
          : value;
    const { sha256: _, ...content } = reversed(copy()) as Dataset;
    const first = loadDataset(sealed(content));
    expect(loadDataset(JSON.stringify(first)).sha256).toBe(first.sha256);
    expect(loadDataset(first).sha256).toBe(first.sha256);
    expect(lookup(['7318.15.2061'], { ...ASKED, dataset: first }).results).toEqual(
      lookup(['7318.15.2061'], ASKED).results,
    );
  });

  it('rejects any data set that isn’t bundled or loaded with `loadDataset`', () => {
    const message = 'The data set must be a value returned by loadDataset.';
    const unchecked: Dataset = copy();
    expect(() => lookup(['7318'], { ...ASKED, dataset: unchecked })).toThrow(message);
    expect(() => assess({ code: '7318.15.20', as_of: '2026-11-21', origin: 'DE' }, { dataset: unchecked })).toThrow(
      message,
    );
    expect(() => compare('2026-11-21', '2026-11-22', 'all', unchecked)).toThrow(message);
    expect(() => listsInForce('2026-11-21', unchecked)).toThrow(message);
  });

  it('ignores unknown fields in a newer minor version of the format', () => {
    const newer = loadDataset(
      changed(data => {
        data.format = '1.7';
        data.lists[0].color = 'blue';
        data.quality = { grade: 1 };
      }),
    );
    expect(newer).not.toHaveProperty('quality');
    expect(lookup(['7318.15.2061'], { ...ASKED, dataset: newer }).results[0]!.status).toBe('hit');
  });

  it.each<[string, unknown, DatasetError['reason'], string]>([
    ['text that isn’t JSON', JSON_TEXT.slice(0, -10), 'not_json', 'The file might be incomplete.'],
    ['null', null, 'invalid', 'format: must be a version such as 1.0'],
    ['a value without a format', {}, 'invalid', 'format: must be a version such as 1.0'],
    ['a newer major version', sealed({ format: '2.0', anything: 1 }), 'newer_format', 'Upgrade @compliance/core.'],
    ['an older major version', sealed({ format: '0.9' }), 'older_format', 'Use a newer data set.'],
    ['a wrong hash', { ...copy(), known_through: '2027-01-01' }, 'damaged', "doesn't match its SHA-256 hash"],
    ['an unknown field', changed(data => (data.lists[0].color = 'blue')), 'invalid', 'lists.0: Unrecognized key'],
    [
      'a listing without a citation',
      changed(data => delete data.lists[3].terms[0].citation),
      'invalid',
      'lists.3.terms.0.citation',
    ],
    [
      'a batch without a citation',
      changed(data => (data.lists[3].batches[0].citation = '')),
      'invalid',
      'lists.3.batches.0.citation',
    ],
    ['a heading without a source', changed(data => (data.headings[5].sources = [])), 'invalid', 'headings.5.sources'],
    [
      'an undefined source',
      changed(data => (data.headings[5].sources = ['x'])),
      'invalid',
      'source x is used but not defined',
    ],
    [
      'a source named like a built-in property',
      changed(data => (data.headings[5].sources = ['constructor'])),
      'invalid',
      'source constructor',
    ],
    [
      'an undefined condition',
      changed(data => (data.headings[5].when = ['x'])),
      'invalid',
      'condition x is used but not defined',
    ],
    [
      'an undefined caveat',
      changed(data => delete data.caveats.membership_not_verified),
      'invalid',
      'caveat membership_not_verified',
    ],
    [
      'an undefined program',
      changed(data => delete data.programs.steel),
      'invalid',
      'program steel is used but not defined',
    ],
    [
      'an undefined list',
      changed(data => (data.headings[5].lists = ['x'])),
      'invalid',
      'list x is used but not defined',
    ],
    ['a list twice', changed(data => data.lists.push(data.lists[0])), 'invalid', 'list aluminum-16c-ii is duplicated'],
    ['a draft list', changed(data => (data.lists[0].draft = true)), 'invalid', 'list aluminum-16c-ii is a draft'],
    [
      'a missing stacking rule',
      changed(data => (data.stacking = [])),
      'invalid',
      'but no stacking rule states how their duties interact',
    ],
    [
      'a date that doesn’t exist',
      changed(data => (data.known_through = '2026-02-30')),
      'invalid',
      'known_through: must be a calendar date',
    ],
    [
      'a version without a month',
      changed(data => (data.version = '2026.0.1')),
      'invalid',
      'version: must be a version such as 2026.11.1',
    ],
    [
      'a condition on an unknown fact',
      changed(data => (data.conditions.us_metal.test = { fact: 'color', is: 'blue' })),
      'invalid',
      'conditions.us_metal.test',
    ],
  ])('rejects %s', (_, json, reason, message) => {
    const error = errorOf(json);
    expect(error).toMatchObject({ reason });
    expect(error!.message).toContain(message);
  });

  it('rejects values that are nested too deeply', () => {
    const depth = 200_000;
    const test = `${'{"not":'.repeat(depth)}{"fact":"patented","is":true}${'}'.repeat(depth)}`;
    const text = JSON_TEXT.replace(/("us_metal":\{"text":"[^"]*","test":)\{[^}]*\}/, (_, start) => start + test);
    expect(text.length).toBeGreaterThan(JSON_TEXT.length + depth);
    expect(errorOf(text)!.message).toContain('nested too deeply');
  });

  it('shows at most five problems in the message and returns all problems in `problems`', () => {
    const error = errorOf(
      changed(data => {
        for (const list of data.lists) list.title = 7;
      }),
    )!;
    expect(error.problems.length).toBe(DATASET.lists.length);
    expect(error.message.split('\n')).toHaveLength(7);
    expect(error.message).toContain(`and ${DATASET.lists.length - 5} more problems`);
  });

  it('accepts a randomly changed data set only if every function can use it', () => {
    const json = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('2026-04-06', '9999-12-31', null, '__proto__', 'constructor', [], {}, -1, 1e308, ''),
    );
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), json, (steps, replacement) => {
        const value = copy();
        let parent = value;
        let key: string;
        for (;;) {
          const keys = Object.keys(parent);
          key = keys[steps.next().value % keys.length]!;
          const child = parent[key];
          const isLeaf = typeof child !== 'object' || child === null || Object.keys(child).length === 0;
          if (isLeaf || steps.next().value % 6 === 0) break;
          parent = child;
        }
        parent[key] = replacement;
        let loaded: Dataset;
        try {
          loaded = loadDataset(sealed(value));
        } catch (error) {
          if (!(error instanceof DatasetError)) throw error;
          return;
        }
        for (const asOf of ['2025-09-01', '2026-11-21']) {
          lookup(['7318.15.2061', '8708.99.8180', '9403.20'], { asOf, origin: 'GB', dataset: loaded });
          const article = { code: '8708.99.8180', as_of: asOf, origin: 'JP', facts: { customs_value: 1 } };
          assess(article, { dataset: loaded });
        }
        compare('2025-09-01', '2026-11-21', 'all', loaded);
        listsInForce('2026-11-21', loaded);
        listHistories(loaded);
      }),
      { numRuns: 60 },
    );
  });
});
