import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdit, type TextEdit, toFileEdit } from './file-edit.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', '\n', '\n\n', ' ', '{{ x }}', '<script>', 'é', '\u2028'), { maxLength: 30 })
  .map(parts => parts.join(''));

/** Generates source text with non-overlapping replacements. */
const edited = text.chain(source =>
  fc
    .uniqueArray(fc.nat(source.length), { maxLength: 8 })
    .map(offsets => offsets.toSorted((a, b) => a - b))
    .chain(offsets =>
      fc.array(text, { minLength: 4, maxLength: 4 }).map(texts => ({
        source,
        edits: Array.from({ length: Math.floor(offsets.length / 2) }, (_, i): TextEdit => {
          const [from, to] = [offsets[2 * i]!, offsets[2 * i + 1]!];
          return { from, to, text: texts[i]! };
        }),
      })),
    ),
);

const replaced = (source: string, edits: readonly TextEdit[]): string =>
  edits.reduceRight((result, { from, to, text: by }) => result.slice(0, from) + by + result.slice(to), source);

describe('a file edit', () => {
  it('makes the same changes as the offset-based replacements', () => {
    fc.assert(
      fc.property(edited, ({ source, edits }) => {
        const edit = toFileEdit(source, edits)!;
        const expected = replaced(source, edits);
        // An edit replaces whole lines, so the results can differ only in the line break at the end of the file.
        expect(applyEdit(source, edit).replace(/\n$/, '')).toBe(expected.replace(/\n$/, ''));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps line breaks outside the edit, and uses the file’s line break style for new lines', () => {
    fc.assert(
      fc.property(edited, fc.constantFrom('\r\n', '\r'), ({ source, edits }, end) => {
        fc.pre(source.includes('\n'));
        const edit = toFileEdit(source, edits)!;
        const result = applyEdit(source.replaceAll('\n', end), edit);
        expect(result.replaceAll(end, '\n')).toBe(applyEdit(source, edit));
        expect(result.replaceAll(end, '')).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it('rejects overlapping replacements', () => {
    const edits = [
      { from: 0, to: 2, text: '' },
      { from: 1, to: 3, text: '' },
    ];
    expect(toFileEdit('abc', edits)).toBeNull();
  });

  it('rejects a file whose lines have changed', () => {
    expect(() => applyEdit('a\nc\n', [{ line: 2, before: ['b'], after: [] }])).toThrow(/line 2/);
  });

  it.each([
    ['deletes whole lines', 'a\nb\nc\n', [{ from: 2, to: 4, text: '' }], [{ line: 2, before: ['b'], after: [] }]],
    ['replaces a word', 'a b\nc', [{ from: 2, to: 3, text: 'x' }], [{ line: 1, before: ['a b'], after: ['a x'] }]],
    ['inserts a line', 'a\nb\n', [{ from: 2, to: 2, text: 'x\n' }], [{ line: 2, before: [], after: ['x'] }]],
  ])('%s', (_, source, edits, expected) => {
    expect(toFileEdit(source, edits)).toEqual(expected);
  });
});
