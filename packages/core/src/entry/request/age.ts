/** Maximum age, in years, of a child as defined in 16 CFR 1200.2(a). */
export const OLDEST_CHILD = 12;

/** An age range, in years, that the text states for a product's users. `to` is infinite if there's no upper limit. */
export interface AgeGroup {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const UNIT = String.raw`\s*(?:(months?|mos?|m)|(?:years?|yrs?|y)(?:[\s-]*olds?)?(?:\s+of\s+age)?)?\.?`;
const AGES = String.raw`\b(?:ages?|(?:children|kids|boys|girls|riders|users|people|those)\s+aged)(?:[\s-]+(?:groups?|range|grade|from|between))?\s*:?\s*`;
const RANGE = String.raw`(\d{1,3})${UNIT}\s*(?:-|to|and|through|thru)\s*(\d{1,3})${UNIT}`;
const UP = String.raw`\s*(?:\+|(?:and|or|&)\s+(?:up|older|over|above)\b)`;
const DOWN = String.raw`\s*(?:and|or|&)\s+(?:under|younger|below|down)\b`;
/** Matches words that, after a number, indicate a person's age. */
const OF_AGE = String.raw`\s*(?:years?|yrs?)?[\s-]*(?:olds?|of\s+age)\b`;

const RANGES = [
  new RegExp(`${AGES}${RANGE}`, 'i'),
  new RegExp(String.raw`\b(\d{1,2})()\s*(?:-|to)\s*(\d{1,2})()${OF_AGE}`, 'i'),
];
const LOWER = [
  new RegExp(String.raw`${AGES}(\d{1,3})${UNIT}${UP}`, 'i'),
  new RegExp(String.raw`\b(\d{1,2})()${OF_AGE}${UP}`, 'i'),
];
const UPPER = [
  new RegExp(String.raw`${AGES}(\d{1,3})${UNIT}${DOWN}`, 'i'),
  new RegExp(String.raw`\b(\d{1,2})()${OF_AGE}${DOWN}`, 'i'),
  new RegExp(String.raw`${AGES}(?:under|up\s+to)\s+(\d{1,3})${UNIT}`, 'i'),
];

/** Matches a phrase about people that the product isn't intended for, up to the end of the sentence. */
const NOT_FOR =
  /(?:\b(?:not|never|no)\s+(?:(?:be\s+)?(?:a|for|intended|suitable|designed|recommended|meant|appropriate|used?)\b|children|kids)|\b(?:keep|store)\b[^.;!?]*\b(?:away|out of)\b|\baway from\b|\bout of (?:the )?reach\b|\b(?:adult|parental) supervision\b)[^.;!?]*/gi;

/** Removes phrases that describe who the product isn't intended for. */
const audienceIn = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\u2019/g, "'")
    .replace(NOT_FOR, ' ');

/**
 * Returns the first age group that a product's name or description states, or null.
 *
 * @example ageGroupIn('Youth helmet, ages 5–10') // { text: 'ages 5-10', from: 5, to: 10 }
 */
export function ageGroupIn(text: string): AgeGroup | null {
  const audience = audienceIn(text);
  const years = (number: string, months: string | undefined) => Number(number) / (months ? 12 : 1);
  for (const pattern of RANGES) {
    const [found, from, fromMonths, to, toMonths] = pattern.exec(audience) ?? [];
    if (found !== undefined) {
      return { text: found.trim(), from: years(from!, fromMonths || toMonths), to: years(to!, toMonths) };
    }
  }
  for (const pattern of UPPER) {
    const [found, to, months] = pattern.exec(audience) ?? [];
    if (found !== undefined) return { text: found.trim(), from: 0, to: years(to!, months) };
  }
  for (const pattern of LOWER) {
    const [found, from, months] = pattern.exec(audience) ?? [];
    if (found !== undefined) return { text: found.trim(), from: years(from!, months), to: Number.POSITIVE_INFINITY };
  }
  return null;
}

const CHILDREN =
  /\b(?:child(?:ren)?|kids?(?![\s-]*(?:leather|suede|mohair))|toddlers?|infants?|bab(?:y(?![\s-]*(?:blue|pink|doll|grand|alpaca))|ies)|newborns?|juvenile|toys?|(?<!la-z-)boys?|girls?|nursery|teethers?|(?<!(?:of|sonic) )youths?)\b(?![\s-]*(?:resistan|proof|safe|lock))/i;

/**
 * Returns whether the text contains a word for children or their products, such as "toddler". Ignores phrases such as
 * "not a toy".
 */
export const namesChildren = (text: string): boolean => CHILDREN.test(audienceIn(text));

const ADULTS = /\b(?:adults?|(?:wo)?men's|teens?|teenagers?)\b/i;

/** Returns whether the text contains a word for teenagers or adults. Ignores phrases such as "adult supervision". */
export const namesAdults = (text: string): boolean => ADULTS.test(audienceIn(text));

/**
 * Returns whether a product's name or description suggests a product for children 12 or younger: a word such as
 * "toddler", or ages that start below 12. Phrases such as "keep away from children" don't count. Source: 16 CFR 1200.2.
 *
 * @example suggestsChildren('Road helmet, ages 14 and up') // false
 */
export function suggestsChildren(text: string): boolean {
  const age = ageGroupIn(text);
  return namesChildren(text) || (age !== null && age.from < OLDEST_CHILD);
}
