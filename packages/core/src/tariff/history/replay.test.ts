import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { REVIEWED } from '../dataset/reviewed.ts';
import { type CheckFacts, checkExtract, checkLists, isClean, type ListCheck } from './check-lists.ts';

const shared = (name: string) => new URL(`../../../../../../shared/data/${name}`, import.meta.url);
const EXTRACT = shared('chapter99-by-revision.json');
const EXPORTS = ['2025 Basic', '2026 Revision 10'].map(
  edition =>
    [
      edition,
      shared(`hts_${edition.toLowerCase().replace(/ (revision )?/, m => (m.length > 1 ? '_rev_' : '_'))}.json.gz`),
    ] as const,
);
const findings = (checks: readonly ListCheck[]) =>
  checks.flatMap(({ edition, differences, unknown_headings, unknown_notes, unused_reviews }) =>
    [...differences, ...unknown_headings, ...unknown_notes, ...unused_reviews].map(finding => ({
      edition,
      ...finding,
    })),
  );

/** Returns the data in this release without the specified headings. */
function without(removed: readonly string[]): CheckFacts {
  const rest = <T extends { headings: string[] }>(item: T): T => ({
    ...item,
    headings: item.headings.filter(own => !removed.includes(own)),
  });
  const companions = <T extends { companion_headings?: { heading: string }[] }>(item: T): T =>
    item.companion_headings
      ? { ...item, companion_headings: item.companion_headings.filter(own => !removed.includes(own.heading)) }
      : item;
  const lists = DATASET.lists.map(list => ({ ...list, terms: list.terms.map(term => companions(rest(term))) }));
  const headings = DATASET.headings.map(row => companions(rest(row)));
  return { data: { ...DATASET, lists, headings }, reviewed: REVIEWED };
}

describe.skipIf(!existsSync(EXTRACT))(
  'replay of ../shared/data/chapter99-by-revision.json (skipped if the file is missing)',
  () => {
    let extract: Parameters<typeof checkExtract>[0];
    beforeAll(() => {
      extract = JSON.parse(readFileSync(EXTRACT, 'utf8'));
    });

    it('finds no unexplained differences and no unknown headings or notes in 44 editions', () => {
      const checks = checkExtract(extract);
      expect(findings(checks)).toEqual([]);
      expect(checks).toHaveLength(44);
      expect(checks.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(10_000);
    });

    it('reports every heading that is missing from the data set', () => {
      const removed = ['9903.80.05', '9903.81.88', '9903.74.06', '9903.94.41', '9903.82.09'];
      const unknown = checkExtract(extract, {}, without(removed)).flatMap(({ unknown_headings }) => unknown_headings);
      expect(new Set(unknown.map(({ heading }) => heading))).toEqual(new Set(removed));
    });

    it('reports a changed rate, country, or condition', () => {
      const change = (heading: string, field: 'general' | 'description', from: string, to: string) => {
        const copy = structuredClone(extract);
        for (const version of copy.headings[heading]!) version[field] = version[field].replace(from, to);
        return new Set(
          findings(checkExtract(copy)).map(finding =>
            'heading' in finding && 'kind' in finding ? `${finding.heading} ${finding.kind}` : '',
          ),
        );
      };
      expect(change('9903.94.41', 'general', '15%', '16%')).toContain('9903.94.41 rate');
      expect(change('9903.94.41', 'description', 'Japan', 'Taiwan')).toContain('9903.94.41 country');
      expect(change('9903.94.40', 'description', '15 percent', '10 percent')).toContain('9903.94.40 condition');
    });
  },
);

describe.each(EXPORTS)(
  'replay of the official export for %s (skipped if ../shared/data is missing)',
  (edition, file) => {
    describe.skipIf(!existsSync(file))('', () => {
      const rows = () => JSON.parse(gunzipSync(readFileSync(file)).toString());

      it('finds no unexplained differences and no unknown headings or notes', () => {
        const check = checkLists(rows(), edition);
        expect(findings([check])).toEqual([]);
        expect(isClean(check)).toBe(true);
        expect(check.gone).toEqual([]);
        expect(check.compared).toBeGreaterThan(80);
      });

      it('reports a new program’s headings and U.S. note as unknown', () => {
        const invented = ['9903.83.01', '9903.45.30'].map(htsno => ({
          htsno,
          indent: '0',
          description: 'Articles of tungsten, as provided for in U.S. note 44 to this subchapter',
          general: '25%',
        }));
        const check = checkLists([...rows(), ...invented], edition);
        expect(check.unknown_headings.map(({ heading }) => heading)).toEqual(['9903.83.01', '9903.45.30']);
        expect(check.unknown_headings[0]!.programs).toEqual([]);
        expect(check.unknown_notes).toEqual([{ note: 44, headings: ['9903.83.01', '9903.45.30'] }]);
      });
    });
  },
);
