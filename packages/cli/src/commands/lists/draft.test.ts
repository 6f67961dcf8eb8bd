import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expectRefusal, runCli, temporaryFolder } from '../../testing/run-cli.ts';

const NOTES = `99 - III - 210
44. (a)  The headings below provide the duty of articles of tungsten.
(b) Articles of tungsten:
     8101.10.00    8101.94.00
(c) Derivative articles of tungsten:
     8101.96.00
`;
const row = (htsno: string, description: string, general: string) => ({
  ...{ htsno, indent: '0', description, general, special: general, other: general },
});

/** Writes a small edition with a fictional program and returns its file paths and a draft folder. */
function writeEdition(): { hts: string; notes: string; out: string } {
  const folder = temporaryFolder();
  const [hts, notes] = [join(folder, 'hts_2026_rev_40.json'), join(folder, 'chapter-99.txt')];
  const rows = [
    row('8101.10.00', 'Tungsten', 'Free'),
    row('9903.82.02', 'Articles of steel', 'The duty provided in the applicable subheading + 50%'),
    row(
      '9903.83.01',
      'Articles in subdivisions (b)–(c) of U.S. note 44',
      'The duty provided in the applicable subheading + 25%',
    ),
  ];
  writeFileSync(hts, JSON.stringify(rows));
  writeFileSync(notes, NOTES);
  return { hts, notes, out: join(folder, 'draft') };
}

describe('compliance lists draft', () => {
  it('drafts a new program, reports what the official texts omit, and produces a data set after a review', async () => {
    const { hts, notes, out } = writeEdition();
    const files = [
      '--hts',
      hts,
      '--notes',
      notes,
      '--as-of',
      '2026-12-01',
      '--dataset-version',
      '2026.12.1',
      '--out',
      out,
    ];
    const drafted = await runCli(['lists', 'draft', ...files]);
    expect([drafted.exitCode, drafted.stderr]).toEqual([1, '']);
    expect(drafted.stdout).toMatch(/Text coverage: \d+ modeled, \d+ waived, \d+ missing\./);
    const report = readFileSync(join(out, 'report.md'), 'utf8');
    expect(report).toContain('note-44-44b: new list with 2 provisions under 9903.83.01.');
    expect(report).toContain('Add a name for the program note_44');
    expect(report).toContain("The text doesn't contain U.S. note 38.");
    expect(report).toContain('subdivision 44(c) (page 99 - III - 210): note-44-44c');

    const verify = ['lists', 'draft', '--verify', '--out', out];
    await expectRefusal(verify, "program note_44 doesn't have a name yet");
    const draft = JSON.parse(readFileSync(join(out, 'draft.json'), 'utf8'));
    draft.programs.note_44 = 'tungsten';
    const save = () => writeFileSync(join(out, 'draft.json'), JSON.stringify(draft));
    const list = draft.lists.find(({ id }: { id: string }) => id === 'note-44-44b');
    const [first, ...others] = list.batches[0].provisions;
    list.batches[0].provisions = others;
    save();
    await expectRefusal(verify, 'note-44-44b has 1 provisions on 2026-12-01, but the text lists 2.');
    expect(existsSync(join(out, 'dataset.json'))).toBe(false);
    list.batches[0].provisions = [first, ...others];
    save();
    expect((await runCli(verify)).exitCode).toBe(0);
    const dataset = join(out, 'dataset.json');
    const looked = await runCli(['lookup', '8101.94.00', '--as-of', '2026-12-01', '--dataset', dataset, '--json']);
    expect(JSON.parse(looked.stdout)).toMatchObject({
      results: [{ status: 'in_scope', message: expect.stringContaining('On the tungsten list since 2026-12-01') }],
      list: { version: '2026.12.1' },
    });
  });

  it('cites the documents that state an effective date, and lists the facts that the documents confirm, contradict, or add', async () => {
    const out = join(temporaryFolder(), 'draft');
    const example = (name: string) =>
      fileURLToPath(new URL(`../../../../../docs/guides/note-44/${name}`, import.meta.url));
    const message = join(temporaryFolder(), 'message.txt');
    writeFileSync(message, 'CSMS # 70999998\n\n9903.83.02: 12 percent for 8101.99.80');
    const drafted = await runCli([
      ...['lists', 'draft', '--hts', example('hts_2026_rev_40.json'), '--notes', example('chapter-99.txt')],
      ...['--csms', example('csms-70999999.docx'), message, '--fr', example('proclamation-11099.xml')],
      ...[
        '--dataset',
        example('data-set.json'),
        '--as-of',
        '2026-12-02',
        '--dataset-version',
        '2026.12.1',
        '--out',
        out,
      ],
    ]);
    expect([drafted.exitCode, drafted.stderr]).toEqual([0, '']);
    expect(drafted.stdout).toContain('Contradictions between the draft and the documents: 4.');
    const { lists, sources } = JSON.parse(readFileSync(join(out, 'draft.json'), 'utf8'));
    const proclamation = 'Proclamation 11099 (FR Doc. 2026-25555)';
    expect(lists.find(({ id }: { id: string }) => id === 'note-44-44c').terms).toMatchObject([
      {
        effective_from: '2026-12-01',
        dated_by: { legal: proclamation },
        citation: `${proclamation}, page 84001, paragraph 4; CSMS 70999999, paragraph 4; HTS 2026 Revision 40, page 99 - III - 210`,
      },
    ]);
    expect(sources).toHaveProperty('csms-70999999');
    expect(sources).not.toHaveProperty('csms-70999998');
    const report = readFileSync(join(out, 'report.md'), 'utf8');
    for (const line of [
      `9903.83.01 starts on 2026-12-01 according to the document, but the requested date is 2026-12-02 (${proclamation}, page 84001, paragraph 4)`,
      '9903.83.02 has the rate 15%, but the document states 12% (CSMS 70999998, line 3)',
      'No list in the draft contains 8101.99.80 (CSMS 70999998, line 3)',
      '9903.83.02 has the rate 15% (CSMS 70999999, table row 3)',
      'note-44-44d gains 8207.13.00 (CSMS 70999999, paragraph 8)',
      `${proclamation}: review the image on page 84002, which the draft doesn't use.`,
    ])
      expect(report).toContain(`- ${line}\n`);
  });

  it('rejects missing options, an invalid HTS export, and a file without U.S. notes', async () => {
    const { hts, notes, out } = writeEdition();
    await expectRefusal(
      ['lists', 'draft', '--out', out],
      'A draft needs --hts, --notes, --as-of, and --dataset-version.',
    );
    const rest = ['--as-of', '2026-12-01', '--dataset-version', '2026.12.1', '--out', out];
    await expectRefusal(['lists', 'draft', '--hts', notes, '--notes', notes, ...rest], "doesn't contain valid JSON");
    await expectRefusal(['lists', 'draft', '--hts', hts, '--notes', hts, ...rest], "doesn't contain a U.S. note");
    const texts = ['--hts', hts, '--notes', notes, ...rest];
    await expectRefusal(['lists', 'draft', ...texts, '--fr', notes], "it isn't valid XML");
    expect(existsSync(out)).toBe(false);
  });
});
