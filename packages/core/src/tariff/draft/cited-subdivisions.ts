const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii', 'xiii', 'xiv', 'xv', 'xvi'];

/** Matches a label such as `(c)(vii)`, or a range of labels such as `(c)(ii)–(v)`. */
const LABELS = String.raw`\(\w+\)(?:\(\w+\))*(?:[–-](?:\(\w+\))+)?`;
const SERIES = `${LABELS}(?:(?:, and |, | and | or )(?:subdivisions? )?${LABELS})*`;
const BEFORE_NOTE = new RegExp(`subdivisions? (${SERIES}) (?:of|to) U\\.S\\. note (\\d+)`, 'g');
const AFTER_NOTE = new RegExp(`U\\.S\\. note (\\d+)(${SERIES})`, 'g');

/**
 * Returns the subdivisions of U.S. notes that a heading's text cites, such as `16(c)(vii)`, with ranges expanded.
 *
 * @example citedSubdivisions('as provided for in subdivisions (b)–(c) of U.S. note 44') // ['44(b)', '44(c)']
 */
export function citedSubdivisions(text: string): string[] {
  const cited = new Set<string>();
  const add = (note: string, series: string) => {
    for (const name of expand(series)) cited.add(`${note}${name}`);
  };
  for (const [, series, note] of text.matchAll(BEFORE_NOTE)) add(note!, series!);
  for (const [, note, series] of text.matchAll(AFTER_NOTE)) add(note!, series!);
  return [...cited];
}

function expand(series: string): string[] {
  let stem = '';
  return [...series.matchAll(new RegExp(LABELS, 'g'))].flatMap(({ 0: part, index }) => {
    const [from, to] = part.split(/[–-]/).map(labels => [...labels.matchAll(/\((\w+)\)/g)].map(([, label]) => label!));
    // In `(c)(ii), (iv)`, the second numeral belongs to the same letter as the first.
    const isNamed = /subdivisions? $/.test(series.slice(0, index));
    const isContinued = !isNamed && from!.length === 1 && stem !== '' && ROMAN.includes(from![0]!);
    const path = isContinued ? [stem, from![0]!] : from!;
    stem = path.length > 1 ? path[0]! : '';
    const last = path.at(-1)!;
    const parents = path
      .slice(0, -1)
      .map(label => `(${label})`)
      .join('');
    if (!to) return [`${parents}(${last})`];
    const scale = path.length > 1 || (ROMAN.includes(last) && last.length > 1) ? ROMAN : LETTERS;
    const [first, end] = [scale.indexOf(last), scale.indexOf(to.at(-1)!)];
    return first === -1 || end < first
      ? [`${parents}(${last})`, `${parents}(${to.at(-1)})`]
      : scale.slice(first, end + 1).map(label => `${parents}(${label})`);
  });
}
