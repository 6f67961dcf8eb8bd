/**
 * Converts a name to lowercase and removes separators, because misspelled names often differ only in these ways.
 *
 * @example normalizeName('Add-To Cart') // 'addtocart'
 */
export const normalizeName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Maximum length of a misspelled name. Documented names are shorter. */
const MAX_LENGTH = 60;

/**
 * Returns the known name that a misspelled name most likely represents, or `null` if the name is itself known or isn't
 * similar to any known name. Two names are similar if they differ only in case or separators. If the known name has at
 * least five letters, the names can also differ by one letter or two swapped letters. If the known name has at least
 * ten letters, the names can have two such differences.
 *
 * @example nearestName('add_to_chart', ['add_to_cart', 'purchase']) // 'add_to_cart'
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_LENGTH || known.includes(name)) return null;
  const written = normalizeName(name);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const target = normalizeName(candidate);
    if (Math.abs(target.length - written.length) > 2) continue;
    const distance = distanceOf(written, target);
    const allowed = target.length >= 10 ? 2 : target.length >= 5 ? 1 : 0;
    if (distance > allowed || distance >= least) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

/** Maximum number of names to compare per page. Real pages use far fewer. */
const MAX_NAMES = 200;

/**
 * Returns a function that works like `nearestName` but caches its results and compares only the first 200 different
 * names. For later names, it returns `null`. The limit is necessary because the comparison is slow and a malicious page
 * can contain thousands of calls.
 *
 * @example const nearestTo = nearestNames(['add_to_cart', 'purchase']) // nearestTo('add_to_chart') is 'add_to_cart'
 */
export function nearestNames(known: readonly string[]): (name: string) => string | null {
  const results = new Map<string, string | null>();
  return name => {
    if (!results.has(name) && results.size < MAX_NAMES) results.set(name, nearestName(name, known));
    return results.get(name) ?? null;
  };
}

/**
 * Returns the optimal string alignment distance between two strings: the minimum number of insertions, deletions,
 * replacements, and swaps of adjacent letters that turn one string into the other.
 */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, beforeLast[j - 2]! + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
