import { CERTIFICATE_STATUSES } from '@compliance/core/entry/status';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Certificate } from '../../index.ts';
import { COMPLETE, INCOMPLETE } from '../records.ts';
import { DAY, START, type StoreHarness } from './harness.ts';

export function registerCertificateSearch(harness: StoreHarness): void {
  const issue = (id: string, ...names: string[]) =>
    harness.store.certificates.issue({
      ...{ id, family: 'fam_1', record: '{"secret":"zebra"}', names, actor: 'key_1' },
      pdf: Buffer.from(`%PDF-1.7\n${id}`),
    });
  const idsOf = (found: Certificate[]) => found.map(({ id }) => id);
  const search = async (text?: string) => idsOf(await harness.store.certificates.search({ text, limit: 50 }));

  describe('certificate search', () => {
    it('finds certificates by parts of their names in any order and case, lists the newest first, and finds all certificates if the search text is empty', async () => {
      const names = [
        ['Road Bicycle Helmet', 'RB-200', 'RB-200-M'],
        ['Bicycle bell'],
        ['ÄNDERUNG ﬁne Ｗide Cafe\u0301', '100% wool_mix!'],
        [],
      ];
      for (const [i, each] of names.entries()) {
        harness.now += 1;
        await issue(`gcc-${i}`, ...each);
      }
      for (const [text, expected] of [
        ['bicycle', ['gcc-1', 'gcc-0']],
        ['HELMET rb-200-m', ['gcc-0']],
        ['  cycle\tBELL ', ['gcc-1']],
        ['änderung', ['gcc-2']],
        ['fine wide café', ['gcc-2']],
        ['100%', ['gcc-2']],
        ['0%0', []],
        ['_mix!', ['gcc-2']],
        ['bicycle_helmet', []],
        ['helmet bell', []],
        ['zebra', []],
        ['record', []],
        ["' or 1=1 --", []],
        ['\0', ['gcc-3', 'gcc-2', 'gcc-1', 'gcc-0']],
        ['', ['gcc-3', 'gcc-2', 'gcc-1', 'gcc-0']],
        [undefined, ['gcc-3', 'gcc-2', 'gcc-1', 'gcc-0']],
      ] as const) {
        expect([text, await search(text)]).toEqual([text, expected]);
      }
    });

    it('finds a certificate by its full ID or SHA-256 hash, or by a prefix of at least six characters', async () => {
      const { id, sha256 } = await issue('3F0C8A52-6b1d-4e0f-9c77-2a5d1e8b4f60', 'Lamp');
      await issue('lamp-2', 'Another');
      for (const text of [id, id.toLowerCase(), id.slice(0, 6), sha256, sha256.slice(0, 6), sha256.toUpperCase()]) {
        expect([text, await search(text)]).toEqual([text, [id]]);
      }
      for (const text of [id.slice(0, 5), id.slice(1), sha256.slice(0, 5), sha256.slice(1), `${sha256}0`]) {
        expect([text, await search(text)]).toEqual([text, []]);
      }
      expect(await search('lamp-2')).toEqual(['lamp-2']);
      expect(await search(`lamp ${sha256.slice(0, 8)}`)).toEqual([id]);
    });

    it('finds certificates issued in a time range', async () => {
      for (let day = 0; day < 4; day++) {
        harness.now = START + day * DAY;
        await issue(`gcc-${day}`, 'Lamp');
      }
      const between = async (from?: number, until?: number) =>
        idsOf(await harness.store.certificates.search({ from, until, limit: 50 }));
      expect(await between(START + DAY)).toEqual(['gcc-3', 'gcc-2', 'gcc-1']);
      expect(await between(START + DAY, START + 3 * DAY)).toEqual(['gcc-2', 'gcc-1']);
      expect(await between(undefined, START)).toEqual([]);
    });

    it('finds voided and superseded certificates, and finds successors by their own product names', async () => {
      await issue('gcc-1', 'Lamp');
      await harness.store.certificates.supersede('gcc-1', {
        ...{ id: 'gcc-2', record: COMPLETE, names: ['Lantern'], actor: 'key_1' },
        pdf: Buffer.from('%PDF-1.7'),
      });
      await harness.store.certificates.void('gcc-2', { reason: 'Wrong lab', actor: 'operator' });
      expect(await harness.store.certificates.search({ text: 'lamp', limit: 5 })).toEqual([
        await harness.store.certificates.get('gcc-1'),
      ]);
      expect(await harness.store.certificates.search({ text: 'lantern', limit: 5 })).toMatchObject([
        { status: 'voided' },
      ]);
    });

    it('finds certificates by family and status', async () => {
      const records = {
        draft: '{}',
        incomplete: INCOMPLETE,
        complete: COMPLETE,
        voided: COMPLETE,
        superseded: COMPLETE,
      };
      for (const family of ['fam_1', 'fam_2']) {
        for (const [name, record] of Object.entries(records)) {
          const id = `${family}-${name}`;
          await harness.store.certificates.issue({ id, family, record, pdf: Buffer.from('%PDF-1.7'), actor: 'key_1' });
        }
        await harness.store.certificates.void(`${family}-voided`, { reason: 'Wrong lab', actor: 'operator' });
        await harness.store.certificates.supersede(`${family}-superseded`, {
          ...{ id: `${family}-successor`, record: COMPLETE, pdf: Buffer.from('%PDF-1.7'), actor: 'key_1' },
        });
      }
      for (const status of CERTIFICATE_STATUSES) {
        const names = status === 'complete' ? ['complete', 'successor'] : [status];
        const found = await harness.store.certificates.search({ family: 'fam_2', status, limit: 50 });
        expect(found.map(each => [each.id, each.status]).sort()).toEqual(names.map(name => [`fam_2-${name}`, status]));
        expect(await harness.store.certificates.search({ status, limit: 50 })).toHaveLength(2 * names.length);
      }
      expect(await harness.store.certificates.search({ family: 'fam_2', limit: 50 })).toHaveLength(6);
      expect(await harness.store.certificates.search({ family: 'fam_3', limit: 50 })).toEqual([]);
    });

    it('pages through search results without gaps or repetitions, and rejects an unknown certificate ID', async () => {
      for (let i = 0; i < 11; i++) {
        await issue(`gcc-${i}`, i % 2 === 0 ? 'Even lamp' : 'Odd lamp');
        harness.now += i % 3;
      }
      const all = await search('even');
      expect(all).toHaveLength(6);
      const read: string[] = [];
      for (let before: string | undefined; ; before = read.at(-1)) {
        const page = await harness.store.certificates.search({ text: 'even', limit: 2, before });
        if (page.length === 0) break;
        read.push(...idsOf(page));
      }
      expect(read).toEqual(all);
      await expect(harness.store.certificates.search({ limit: 2, before: 'unknown' })).rejects.toMatchObject({
        code: 'certificate_unknown',
      });
    });

    it('finds any certificate by any word in its name', async () => {
      const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
      let made = 0;
      await fc.assert(
        fc.asyncProperty(letters, letters, async (before, part) => {
          fc.pre(/^\S+$/u.test(part.replaceAll('\0', ' ').normalize('NFKC')));
          const { id } = await issue(`gcc-${made++}`, `${before} ${part} after`);
          expect(await search(part)).toContain(id);
        }),
        { numRuns: 30 },
      );
    });
  });
}
