import type { Address } from './parts.ts';
import { foldPlace, type Province, subdivisionOf } from './subdivisions.ts';

/** Format of addresses that are written from the smallest unit to the largest. */
interface WesternFormat {
  /** Matches a postal code at the start or at the end of a part. */
  readonly postalCode: RegExp;
  /** Matches a city district, which counts as the city only if no other part does. */
  readonly district: RegExp;
  /** Whether the postal code is always directly before or after the city. */
  readonly isCodeBesideCity?: true;
}

const code = (digits: string, label = '') =>
  new RegExp(String.raw`^(?:${label})(${digits})(?=[\s-]|$)|(?:^|[\s(-])(?:${label})(${digits})\)?$`, 'i');

const FORMATS: Readonly<Record<string, WesternFormat>> = {
  CN: {
    postalCode: code(String.raw`\d{6}`, String.raw`(?:p\.?c\.?|zip|postal code)?\s*:?\s*`),
    district:
      /\b(?:district|dist|qu|new area|subdistrict|jiedao|zhen|town|township|county|xian|development zone|village)$/,
  },
  TW: {
    postalCode: code(String.raw`\d{3}(?:-?\d{2,3})?`),
    district: /\b(?:dist|district|qu|township|twp|vil|village|li|neighborhood)$/,
  },
  JP: {
    postalCode: code(String.raw`\d{3}-?\d{4}`, '〒?\\s*'),
    district: /\b(?:ku|ward|cho|machi|chome|gun|district)$/,
  },
  KR: {
    postalCode: code(String.raw`\d{5}|\d{3}-\d{3}`),
    district: /\b(?:gu|dong|eup|myeon|ri|ro|gil|gun|district|ward)$/,
  },
  DE: {
    postalCode: code(String.raw`\d{5}`, '(?:DE?-)?'),
    district: /\b(?:ortsteil|ot|stadtteil)\b/,
    isCodeBesideCity: true,
  },
  VN: {
    postalCode: code(String.raw`\d{5,6}`),
    district:
      /^(?:phuong|quan|huyen|xa|thi tran|p|q|h|ward|district|dist|commune|kp|khu pho|ap)\b|\b(?:ward|district|dist|commune)$/,
  },
  IN: {
    postalCode: code(String.raw`[1-9]\d{2}[\s-]?\d{3}`, String.raw`(?:pin(?:\s?code)?)?\s*[:.-]?\s*`),
    district:
      /^(?:dist|district|taluka?|tal|tehsil|mandal|po|ps)\b|\b(?:dist|district|taluka?|tehsil|mandal|mandalam|block)$/,
  },
  MX: {
    postalCode: code(String.raw`\d{5}`, String.raw`(?:c\.?\s?p\.?)?\s*:?\s*`),
    district:
      /^(?:col|colonia|fracc|fraccionamiento|parque industrial|zona industrial|delegacion|del|alcaldia|barrio|unidad)\b/,
  },
};

/** Returns whether {@link readWesternAddress} supports a country's address format. */
export const hasWesternFormat = (country: string | null): country is string =>
  country !== null && Object.hasOwn(FORMATS, country);

/** Matches digits and words that occur in street and building names, but rarely in city names. */
const STREET =
  /\d|\b(?:road|rd|street|st|avenue|ave|av|avenida|calle|carretera|blvd|boulevard|lane|ln|building|bldg|floor|fl|block|unit|room|rm|suite|plot|phase|industrial|estate|park|zone|tower|house|complex|sector|nagar|marg|strasse|weg|allee|platz|duong|pho|lo|kcn|km|lu|jie|dadao|rd|sec|ln|aly|no)\b|str$/;

/**
 * Parses an address in Western order: street, district, city, state, and postal code. `text` must not include the
 * country name.
 *
 * @example readWesternAddress('Plot 14, MIDC, Pune - 411019, Maharashtra', 'IN')?.city // 'Pune'
 */
export function readWesternAddress(text: string, country: string): Address {
  const format = FORMATS[country]!;
  const written = splitBeforeCode(text)
    .split(/[,;，、；\n]/)
    .map(trimPart)
    .filter(part => part !== '');
  const { parts: withoutCode, postalCode, beside } = takePostalCode(written, format.postalCode, country);
  const { parts, state, subdivision } = takeState(withoutCode, country);
  const at =
    format.isCodeBesideCity && beside !== ''
      ? parts.lastIndexOf(beside)
      : cityIndex(parts, beside, subdivision, country);
  if (at >= 0) {
    return {
      street: parts.filter((_, other) => other !== at).join(', '),
      city: parts[at]!,
      state,
      postalCode,
      country,
    };
  }
  if (subdivision?.isCity) return { street: parts.join(', '), city: state, state, postalCode, country };
  const [, street, city] = STREET_THEN_CITY.exec(parts.at(-1) ?? '') ?? [];
  return {
    street: [...parts.slice(0, -1), street ?? parts.at(-1)].join(', '),
    city: city ?? '',
    state,
    postalCode,
    country,
  };
}

/** Adds a comma before the postal code and city at the end of an address without commas. */
const splitBeforeCode = (text: string) =>
  text.includes(',') ? text : text.replace(/\s+(?=(?:[A-Z]{1,2}-)?\d{5}\s+\p{L}[^\d]*$)/u, ', ');

/** Matches a street and a city without a comma between them. */
const STREET_THEN_CITY =
  /^(.*\b(?:road|rd|street|avenue|ave|district|dist|zone|park|building|floor|town|nagar)\.?)\s+(\p{L}[^\d]*)$/iu;

const trimPart = (part: string) => part.replace(/\s+/g, ' ').replace(/^[\s.–-]+|[\s:–-]+$/g, '');

/**
 * Returns the index of the part that contains the city, or -1. A district counts as the city only if no other part
 * does.
 */
function cityIndex(parts: readonly string[], beside: string, subdivision: Province | null, country: string): number {
  const { district } = FORMATS[country]!;
  const isDistrict = (part: string) => district.test(foldPlace(part));
  const cities = [...parts.keys()].filter(at => (at > 0 || parts.length === 1) && isCityLike(parts[at]!));
  const last = cities.findLast(at => !isDistrict(parts[at]!)) ?? -1;
  if (subdivision?.isCity) {
    // Tokyo's wards and cities are municipalities. In other city-level subdivisions, an address can contain the city
    // name twice.
    if (country === 'JP')
      return cities.findLast(at => isDistrict(parts[at]!) || /\bshi$/.test(foldPlace(parts[at]!))) ?? -1;
    return last >= 0 && subdivisionOf(parts[last]!, country)?.key === subdivision.key ? last : -1;
  }
  const besideCode = cities.find(at => parts[at] === beside) ?? -1;
  if (besideCode >= 0) return besideCode;
  return last >= 0 ? last : (cities.at(-1) ?? -1);
}

const isCityLike = (part: string) => /\p{L}/u.test(part) && !STREET.test(foldPlace(part));

/**
 * Removes the last postal code from the parts and returns it. `beside` is the rest of the part that contained the code.
 */
function takePostalCode(
  parts: readonly string[],
  pattern: RegExp,
  country: string,
): { parts: readonly string[]; postalCode: string; beside: string } {
  for (const [at, part] of [...parts.entries()].reverse()) {
    const match = pattern.exec(part);
    if (!match) continue;
    const beside = trimPart(`${part.slice(0, match.index)} ${part.slice(match.index + match[0].length)}`);
    // A number at the end of a street isn't a postal code.
    const isStreet = beside !== '' && STREET.test(foldPlace(beside)) && subdivisionOf(beside, country) === null;
    if (isStreet && at < parts.length - 1 && !FORMATS[country]!.isCodeBesideCity) continue;
    const others = beside === '' ? [] : [beside];
    return {
      parts: [...parts.slice(0, at), ...others, ...parts.slice(at + 1)],
      postalCode: (match[1] ?? match[2])!,
      beside,
    };
  }
  return { parts, postalCode: '', beside: '' };
}

/**
 * Removes the last state from the parts and returns it. The state can be a whole part or the last words of the last
 * part.
 */
function takeState(
  parts: readonly string[],
  country: string,
): { parts: readonly string[]; state: string; subdivision: Province | null } {
  for (let at = parts.length - 1; at >= Math.max(0, parts.length - 3); at--) {
    const subdivision = subdivisionOf(parts[at]!, country);
    if (subdivision) return { parts: parts.filter((_, other) => other !== at), state: parts[at]!, subdivision };
  }
  const words = (parts.at(-1) ?? '').split(' ');
  for (let from = 1; from < words.length; from++) {
    const state = words.slice(from).join(' ');
    const subdivision = subdivisionOf(state, country);
    if (subdivision) return { parts: [...parts.slice(0, -1), words.slice(0, from).join(' ')], state, subdivision };
  }
  return { parts, state: '', subdivision: null };
}
