import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffOf } from './diff.ts';
import { applyEdit, toFileEdit } from './file-edit.ts';

const lines = (text: string) => text.split(/\r\n|\r|\n/).filter((line, i, all) => i < all.length - 1 || line !== '');

describe('a diff', () => {
  it('shows each line with its original and new line numbers', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '{{ c }}', ''), { minLength: 1, maxLength: 25 });
    const edits = fc.uniqueArray(fc.nat(24), { maxLength: 6 });
    fc.assert(
      fc.property(text, edits, text, fc.nat(4), (before, at, added, context) => {
        const source = before.map(line => `${line}\n`).join('');
        const starts = before.map((_, i) => before.slice(0, i).join('\n').length + (i > 0 ? 1 : 0));
        const changes = at
          .filter(i => i < before.length)
          .map(i => ({
            from: starts[i]!,
            to: starts[i]! + before[i]!.length,
            text: added.slice(0, 1 + (i % 3)).join('\n'),
          }));
        const edit = toFileEdit(source, changes)!;
        const edited = lines(applyEdit(source, edit));
        const shown = diffOf(source, edit, context).flat();
        for (const { kind, text, before: was, after: is } of shown) {
          expect([was === null, is === null]).toEqual([kind === 'added', kind === 'removed']);
          if (was !== null) expect(before[was - 1]).toBe(text);
          if (is !== null) expect(edited[is - 1]).toBe(text);
        }
        const numbers = shown.flatMap(({ before: was }) => was ?? []);
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
        const changed = shown.filter(({ kind }) => kind !== 'same');
        expect(changed).toHaveLength(edit.reduce((sum, one) => sum + one.before.length + one.after.length, 0));
      }),
      { numRuns: 1000 },
    );
  });

  it('puts changes with adjacent context lines in one hunk, and other changes in separate hunks', () => {
    const source = Array.from({ length: 20 }, (_, i) => `${i + 1}\n`).join('');
    const change = (line: number) => ({ line, before: [String(line)], after: ['x'] });
    const hunks = diffOf(source, [change(3), change(9), change(17)]);
    expect(hunks.map(hunk => hunk.map(({ text }) => text).join(' '))).toEqual([
      '1 2 3 x 4 5 6 7 8 9 x 10 11 12',
      '14 15 16 17 x 18 19 20',
    ]);
  });

  it('omits unchanged lines that are long or contain personal data', () => {
    const source = `a\nana@shop.example\nb\nc\n${'d'.repeat(301)}\ne\n`;
    const [hunk] = diffOf(source, [{ line: 4, before: ['c'], after: [] }]);
    expect(hunk?.map(({ text }) => text)).toEqual(['b', 'c']);
  });
});
