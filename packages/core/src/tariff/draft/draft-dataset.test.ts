import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DATASET, type Dataset } from '../dataset/dataset.ts';
import { hashOf } from '../dataset/format/hash.ts';
import { DatasetError, loadDataset } from '../dataset/format/load-dataset.ts';
import { bundledDataset } from '../dataset/reviewed.ts';
import { compareDatasets } from '../history/compare-datasets.ts';
import { notesOn } from '../history/testing/notes-on.ts';
import { lookup } from '../lookup/lookup.ts';
import { checkExpectations, type DatasetDraft, draftDataset, isFullyCovered } from './draft-dataset.ts';
import { rewind } from './testing/rewind.ts';

const sealed = (dataset: object) => loadDataset({ ...dataset, sha256: hashOf(dataset) });
const missing = ({ coverage }: DatasetDraft) =>
  coverage.filter(({ state }) => state === 'missing').map(({ name }) => name);
/** Returns the provisions whose code or last day differs. Ignores other differences, such as citations. */
const differentProvisions = (before: Dataset, after: Dataset) =>
  compareDatasets(before, after)
    .provisions.filter(({ before: a, after: b }) => a?.hts !== b?.hts || a?.effective_to !== b?.effective_to)
    .map(({ list, name }) => `${list} ${name}`);

const shared = new URL('../../../../../../shared/data/hts_2026_rev_10.json.gz', import.meta.url);
const revision10 = () => JSON.parse(gunzipSync(readFileSync(shared)).toString());
const requestFor = (officialExport: object[], chapter99: string, dataset = bundledDataset()) => ({
  dataset: loadDataset(dataset),
  officialExport,
  chapter99,
  edition: 'HTS 2026 Revision 10',
  effective: '2026-06-08',
  version: '2026.6.1',
});

describe.skipIf(!existsSync(shared))('a draft from HTS 2026 Revision 10 (skipped if ../shared/data is missing)', () => {
  const before = rewind(bundledDataset(), '2026-06-07');
  const today = rewind(bundledDataset(), '2026-06-08');

  it('reproduces the reviewed provisions, and reports every heading that it can’t model', () => {
    const text = notesOn('2026-06-08').replace('(xi) Articles of this list', '(xi) Derivative steel articles');
    const draft = draftDataset(requestFor(revision10(), text, before));
    const drafted = sealed(draft.dataset);
    expect(differentProvisions(today, drafted)).toEqual([]);
    expect(checkExpectations(drafted, draft.expectations)).toEqual([]);
    expect(checkExpectations(today, draft.expectations)).toEqual([]);
    expect(draft.expectations).toContainEqual({ list: 'steel-16c-xi', date: '2026-06-08', provisions: 28 });
    const { terms } = draft.dataset.lists.find(({ id }) => id === 'steel-16c-xi')!;
    expect(terms).toMatchObject([{ headings: ['9903.82.09'], rate_pct: 25, rate_type: 'additional' }]);

    // Every heading that differs from the reviewed data set is reported, so nothing is omitted silently.
    const { headings } = compareDatasets(today, drafted);
    const changed = new Set(headings.flatMap(({ before: a, after: b }) => (a ?? b)!.headings));
    const reported = [...missing(draft), ...draft.questions.join(' ').matchAll(/9903\.\d\d\.\d\d/g)].map(String);
    expect([...changed].filter(heading => !reported.includes(heading))).toEqual([]);
    expect(isFullyCovered(draft)).toBe(false);
  });

  it('drafts no changes and reports no uncovered text if the official text matches the data set', () => {
    const draft = draftDataset(requestFor(revision10(), notesOn('2026-06-08'), today));
    expect(draft.changes).toEqual([]);
    expect(missing(draft)).toEqual([]);
    expect(differentProvisions(today, sealed(draft.dataset))).toEqual([]);
  });

  const note44 = `

44. (a)  The headings below provide the duty of articles of tungsten.
(b) Articles of tungsten:
     8101.10.00    8101.94.00
(c) Derivative articles of tungsten:
     8101.96.00    8101.97.00    8101.99.10
(d) Tools of tungsten:
     8207.13.00
`;
  const tungsten = (htsno: string, description: string, general: string) => ({
    ...{ htsno, indent: '0', description, general, special: general, other: general },
  });
  const headings44 = [
    tungsten(
      '9903.83.01',
      'Articles in subdivisions (b)–(d) of U.S. note 44 to this subchapter',
      'The duty provided in the applicable subheading + 25%',
    ),
    tungsten(
      '9903.83.02',
      'Products of Japan, as provided for in subdivisions (b)–(d) of U.S. note 44 to this subchapter',
      '15%',
    ),
  ];

  it('drafts three lists from a fictional U.S. note 44, and matches the expected counts after a reviewer names the program', () => {
    const rows = [...revision10(), ...headings44];
    const draft = draftDataset(requestFor(rows, notesOn('2026-06-08') + note44, today));
    expect(isFullyCovered(draft)).toBe(true);
    expect(draft.questions[0]).toContain('Add a name for the program note_44');
    expect(() => sealed(draft.dataset)).toThrow("program note_44 doesn't have a name yet");
    expect(() => loadDataset(draft.dataset)).toThrow(DatasetError);

    draft.dataset.programs.note_44 = 'tungsten';
    const reviewed = sealed(draft.dataset);
    expect(checkExpectations(reviewed, draft.expectations)).toEqual([]);
    expect(draft.expectations.filter(({ list }) => list.startsWith('note-44'))).toEqual([
      { list: 'note-44-44b', date: '2026-06-08', provisions: 2 },
      { list: 'note-44-44c', date: '2026-06-08', provisions: 3 },
      { list: 'note-44-44d', date: '2026-06-08', provisions: 1 },
    ]);
    const at = (asOf: string, origin: string) =>
      lookup(['8101.96.00'], { asOf, origin, dataset: reviewed }).results[0]!.matches.map(match => match.rate_pct);
    expect([at('2026-06-07', 'DE'), at('2026-06-08', 'DE'), at('2026-06-08', 'JP')]).toEqual([[], [25], [15]]);
    expect(checkExpectations(reviewed, [{ list: 'note-44-44b', date: '2026-06-08', provisions: 3 }])).toEqual([
      'note-44-44b has 2 provisions on 2026-06-08, but the text lists 3.',
    ]);
  });

  it('reports a new note as missing if no heading states a rate for it', () => {
    const draft = draftDataset(requestFor(revision10(), notesOn('2026-06-08') + note44, today));
    expect(missing(draft)).toEqual(['44(b)', '44(c)', '44(d)']);
    expect(draft.dataset.lists).toHaveLength(today.lists.length);
  });

  it('drafts a rate change that takes effect on the requested date', () => {
    const rows = revision10().map((row: { htsno: string; general: string }) =>
      row.htsno === '9903.94.41' ? { ...row, general: '12%', special: '12%' } : row,
    );
    const draft = draftDataset(requestFor(rows, notesOn('2026-06-08'), today));
    const rates = draft.dataset.headings.filter(({ headings }) => headings.includes('9903.94.41'));
    expect(rates.slice(-2)).toMatchObject([
      { rate_pct: 15, effective_to: '2026-06-07' },
      {
        rate_pct: 12,
        effective_from: '2026-06-08',
        effective_to: null,
        dated_by: { first_printed: 'HTS 2026 Revision 10' },
      },
    ]);
    expect(sealed(draft.dataset).version).toBe('2026.6.1');
  });

  it('reports codes in interleaved columns instead of guessing their list', () => {
    const text = notesOn('2026-06-08').replace(
      /\(x\) Articles of this list:\s+/,
      '(x) Articles of this list:  8111.00.10  ',
    );
    const draft = draftDataset(requestFor(revision10(), text, today));
    expect(missing(draft)).toEqual(['16(c)(ix)', '16(c)(x)']);
    expect(draft.coverage.find(({ state }) => state === 'missing')!.explanation).toContain('are interleaved');
  });
});

describe('a draft with documents about the change', () => {
  const rate = (pct: number) => `The duty provided in the applicable subheading + ${pct}%`;
  const row = (htsno: string, description: string, general: string) => ({ htsno, indent: '0', description, general });
  const draftWith = (paragraphs: readonly string[], changed: { act?: string; unread?: string[] } = {}) => {
    const { act, unread = [] } = changed;
    return draftDataset({
      ...{ dataset: DATASET, edition: 'HTS 2027 Revision 2', effective: '2027-01-15', version: '2027.1.2' },
      officialExport: [
        row('8101.10.00', 'Tungsten', 'Free'),
        row('9903.83.01', 'Articles in subdivisions (b) and (c) of U.S. note 44', rate(25)),
        row('9903.83.02', 'Products of Japan, as provided for in subdivision (b) of U.S. note 44', '15%'),
      ],
      chapter99: '44. (a) Tungsten.\n(b) Articles of tungsten:\n8101.10.00  8101.94.00\n(c) Tools:\n8207.13.00',
      documents: [
        {
          ...{ kind: 'csms', name: 'message.docx', unread },
          paragraphs: paragraphs.map((text, index) => ({ text, location: `paragraph ${index + 1}` })),
        },
      ],
      ...(act !== undefined && { act }),
    });
  };
  const tungsten = ({ dataset }: DatasetDraft) => dataset.lists.find(({ id }) => id === 'note-44-44b')!;
  const facts = ({ evidence }: DatasetDraft, state: string) =>
    evidence.filter(each => each.state === state).map(({ fact, location }) => `${fact} [${location}]`);

  it('uses and cites the effective date that a document states for a heading, and compares the draft with the document', () => {
    const draft = draftWith([
      'CSMS # 70999999 - GUIDANCE: Tungsten',
      'On or after 12:01 a.m. eastern standard time on January 11, 2027, the following headings apply:',
      '9903.83.01: 25 percent for 8101.10.00 and 8101.99.80',
      '9903.83.02: 20 percent',
      '9903.83.09: exempt articles',
    ]);
    const known = { effective_from: '2027-01-11', dated_by: { legal: 'CSMS 70999999' } };
    const [term] = tungsten(draft).terms;
    expect(term).toMatchObject({
      ...known,
      citation: 'CSMS 70999999, paragraph 2; HTS 2027 Revision 2',
      sources: ['hts-2027-rev-2', 'csms-70999999'],
    });
    expect(tungsten(draft).batches).toMatchObject([known]);
    expect(draft.dataset.headings.find(({ headings }) => headings.includes('9903.83.02'))).toMatchObject(known);
    expect(draft.dataset.sources['csms-70999999']).toMatchObject({ title: 'CSMS 70999999', reading: 'official' });
    expect(facts(draft, 'confirmed')).toEqual([
      '9903.83.01 has the rate 25% [CSMS 70999999, paragraph 3]',
      'note-44-44b gains 8101.10.00 [CSMS 70999999, paragraph 3]',
    ]);
    expect(facts(draft, 'contradicted')).toEqual([
      '9903.83.01 starts on 2027-01-11 according to the document, but the requested date is 2027-01-15 [CSMS 70999999, paragraph 2]',
      '9903.83.02 starts on 2027-01-11 according to the document, but the requested date is 2027-01-15 [CSMS 70999999, paragraph 2]',
      '9903.83.02 has the rate 15%, but the document states 20% [CSMS 70999999, paragraph 4]',
    ]);
    expect(facts(draft, 'added')).toEqual([
      '9903.83.09 is neither in the draft nor in the HTS export [CSMS 70999999, paragraph 5]',
      'No list in the draft contains 8101.99.80 [CSMS 70999999, paragraph 3]',
    ]);
    expect(facts(draft, 'not_mentioned')).toEqual([
      'note-44-44b gains 8101.94.00 [null]',
      'note-44-44c gains 8207.13.00 [null]',
    ]);
    draft.dataset.programs.note_44 = 'tungsten';
    expect(checkExpectations(sealed(draft.dataset), draft.expectations)).toEqual([]);
  });

  it('counts the provisions as of the stated effective date if that date is later than the requested date', () => {
    const draft = draftWith(['9903.83.01 is effective February 1, 2027.']);
    expect(draft.expectations).toContainEqual({ list: 'note-44-44b', date: '2027-02-01', provisions: 2 });
  });

  it('keeps the requested date and reports a contradiction if the document states two different effective dates', () => {
    const draft = draftWith(['9903.83.01 is effective January 11, 2027.', '9903.83.01 is effective January 12, 2027.']);
    expect(tungsten(draft).terms[0]).toMatchObject({
      effective_from: '2027-01-15',
      dated_by: { first_printed: 'HTS 2027 Revision 2' },
      sources: ['hts-2027-rev-2'],
    });
    expect(facts(draft, 'contradicted')).toEqual([
      '9903.83.01 starts on 2027-01-15, but the document states 2027-01-11 [message.docx, paragraph 1]',
      '9903.83.01 starts on 2027-01-15, but the document states 2027-01-12 [message.docx, paragraph 2]',
    ]);
    expect(draft.dataset.sources).not.toHaveProperty('message-docx');
  });

  it('cites the given act, confirms the requested date, and asks a reviewer to check the parts of a document that couldn’t be read', () => {
    const draft = draftWith(['9903.83.01 is effective January 15, 2027, through March 1, 2027.'], {
      act: 'Proclamation 11099',
      unread: ['1 image on page 2'],
    });
    expect(tungsten(draft).terms[0]!.dated_by).toEqual({ legal: 'Proclamation 11099' });
    expect(facts(draft, 'confirmed')).toEqual(['9903.83.01 starts on 2027-01-15 [message.docx, paragraph 1]']);
    expect(draft.questions).toContain("message.docx: review 1 image on page 2, which the draft doesn't use.");
    expect(draft.questions).toContain(
      "message.docx, paragraph 1: review the date 2027-03-01, which the draft doesn't use.",
    );
  });
});

/**
 * Folder that contains the official texts, with filenames as in the USITC archive. The texts aren't part of the
 * repository.
 */
const NOTES = process.env.COMPLIANCE_US_NOTES ?? '';
const officialFiles = (revision: number) => ({
  text: join(NOTES, `chapter99_2026_rev_${revision}.txt`),
  rows: join(NOTES, `hts_2026_rev_${revision}.json.gz`),
});

describe.each([
  [5, '2026-04-05', '2026-04-06'],
  [6, '2026-04-22', '2026-04-23'],
  [7, '2026-04-28', '2026-04-29'],
  [10, '2026-06-07', '2026-06-08'],
])(
  'a draft from the official text of HTS 2026 Revision %i (skipped if COMPLIANCE_US_NOTES isn’t a folder with the text)',
  (revision, day, effective) => {
    const { text, rows } = officialFiles(revision);
    it.skipIf(NOTES === '' || !existsSync(text) || !existsSync(rows))(
      'reproduces the reviewed provisions or reports their subdivision as missing',
      () => {
        const draft = draftDataset({
          dataset: rewind(bundledDataset(), day),
          officialExport: JSON.parse(gunzipSync(readFileSync(rows)).toString()),
          chapter99: readFileSync(text, 'utf8'),
          ...{ edition: `HTS 2026 Revision ${revision}`, effective, version: DATASET.version },
        });
        const different = differentProvisions(rewind(bundledDataset(), effective), sealed(draft.dataset));
        const unread = new Set(missing(draft));
        const lists = new Map(bundledDataset().lists.map(list => [list.id, list.note]));
        const silent = different.filter(name => {
          const id = name.split(' ')[0]!;
          return !unread.has(id) && ![...unread].some(subdivision => lists.get(id)?.includes(`note ${subdivision},`));
        });
        expect(silent).toEqual([]);
      },
    );
  },
);
