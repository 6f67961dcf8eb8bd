/** Source material for mutations. */
export interface Material {
  /** Other inputs that reached new code. */
  readonly others: readonly string[];
  readonly words: readonly string[];
  /** Maximum length of the result. */
  readonly maxLength: number;
  readonly random: () => number;
}

/**
 * Characters that often break parsers: separators, quotes, control characters, combining marks, lone surrogates, and
 * look-alike characters.
 */
const TRICKY = [
  ...'.,;:\'"`<>&%=+-@#?/\\|_~^$*!()[]{} \t\r\n\0\b\x1b\x7f',
  ...'\u00a0\u00ad\u200b\u200d\u202e\u2028\u2066\ufeff\uff1d\uff0e\u0661\u0300\ud800\udfff',
  '\u{1f6b2}',
];
const TRICKY_NUMBERS = [0, 1, -1, 0.5, 255, 256, 2 ** 31, 2 ** 53, 1e308];

const below = (limit: number, random: () => number): number => Math.floor(random() * limit);
const pick = <T>(from: readonly T[], random: () => number): T => from[below(from.length, random)]!;
/** Returns a random length that is usually small. */
const span = (limit: number, random: () => number): number => Math.ceil(limit ** random());

function changeText(text: string, { others, words, random }: Material): string {
  const at = below(text.length + 1, random);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const rest = after.slice(span(after.length || 1, random));
  switch (below(11, random)) {
    case 0:
      return before + rest;
    case 1:
      return before + pick(TRICKY, random) + after;
    case 2:
      return before + pick(TRICKY, random) + after.slice(1);
    case 3:
      return before + String.fromCharCode(below(random() < 0.9 ? 128 : 65_536, random)) + after.slice(1);
    case 4:
      return words.length > 0 ? before + pick(words, random) + after : before;
    case 5:
      return words.length > 0 ? before + pick(words, random) + rest : before;
    case 6:
      return before + after.slice(0, after.length - rest.length).repeat(span(100, random)) + rest;
    case 7: {
      const other = pick(others, random);
      return before + other.slice(below(other.length + 1, random));
    }
    case 8: {
      const other = pick(others, random);
      const from = below(other.length + 1, random);
      return before + other.slice(from, from + span(other.length || 1, random)) + after;
    }
    case 9:
      return text.replace(/\d+/g, number =>
        random() < 0.3 ? `${Number(number) + pick([-1, 1, 10], random)}` : number,
      );
    default:
      return random() < 0.5 ? text.toUpperCase() : text.toLowerCase();
  }
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Changes one part of a value at a random depth. */
function changeJson(value: Json, material: Material): Json {
  const { random, words, others } = material;
  const isBranch = typeof value === 'object' && value !== null;
  if (isBranch && random() < 0.8) {
    const keys = Object.keys(value);
    const key = keys.length > 0 ? pick(keys, random) : '';
    const copy = structuredClone(value) as { [key: string]: Json };
    switch (below(8, random)) {
      case 0:
        if (Array.isArray(copy)) copy.splice(below(copy.length, random), 1);
        else delete copy[key];
        return copy;
      case 1:
        if (Array.isArray(copy)) copy.push(copy[below(copy.length, random)] ?? {});
        else {
          // Define the property, because an assignment to `__proto__` wouldn't create a property.
          const field = { value: copy[key] ?? {}, enumerable: true, writable: true, configurable: true };
          Object.defineProperty(copy, pick(words, random), field);
        }
        return copy;
      default:
        if (key !== '') copy[key] = changeJson(copy[key]!, material);
        return copy;
    }
  }
  switch (below(8, random)) {
    case 0:
      return pick<Json>([null, true, false, '', [], {}, ...TRICKY_NUMBERS], random);
    case 1:
      return pick(words, random);
    case 2:
      return partOf(JSON.parse(pick(others, random)), random);
    default:
      if (typeof value === 'string') return changeText(value, { ...material, others: words });
      return typeof value === 'number' ? value + pick([-1, 1], random) : value;
  }
}

function partOf(value: Json, random: () => number): Json {
  if (typeof value !== 'object' || value === null || random() < 0.3) return value;
  const parts = Object.values(value);
  return parts.length > 0 ? partOf(pick(parts, random), random) : value;
}

/** Applies one to eight mutations to an input and returns the result. */
export function mutate(input: string, shape: 'json' | undefined, material: Material): string {
  const { random, maxLength } = material;
  let changed = input;
  for (let times = span(8, random); times > 0; times--) {
    changed =
      shape === 'json' ? JSON.stringify(changeJson(JSON.parse(changed), material)) : changeText(changed, material);
    if (changed.length > maxLength) changed = shape === 'json' ? input : changed.slice(0, maxLength);
  }
  return changed;
}
