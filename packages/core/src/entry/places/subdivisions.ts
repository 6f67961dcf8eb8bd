import data from './subdivisions.json' with { type: 'json' };

/**
 * A first-level subdivision of a country, such as a province. `key` is the subdivision's first listed name, normalized
 * by {@link foldPlace}. If `isCity` is true, addresses in the subdivision don't have to include a separate city.
 */
export interface Province {
  readonly key: string;
  readonly isCity: boolean;
}

/**
 * Normalizes a place name by removing diacritical marks, case differences, and punctuation, so that spellings can be
 * compared.
 *
 * @example foldPlace('Hà Nội') // 'ha noi'
 */
export const foldPlace = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();

const tables = new Map(
  Object.entries(data.countries).map(([country, subdivisions]) => {
    const byName = new Map<string, Province>();
    for (const { names, city = false } of subdivisions as readonly { names: string[]; city?: boolean }[]) {
      const subdivision = { key: foldPlace(names[0]!), isCity: city };
      for (const name of names) byName.set(foldPlace(name), subdivision);
    }
    return [country, byName] as const;
  }),
);

/** Generic words that can be part of a subdivision name, by country. */
const GENERIC: Readonly<Record<string, RegExp>> = {
  CN: /\b(?:province|prov|sheng|shi|city|municipality|zizhiqu|(?:zhuang |hui |uygur |uyghur )?autonomous region|region)$/,
  JP: /[\s-]?\b(?:prefecture|pref|ken|fu|to|metropolis|city)$/,
  KR: /\s?\b(?:do|si|province|city|metropolitan city|gwangyeoksi|teukbyeolsi|teukbyeoljachisi|special city)$/,
  VN: /^(?:tinh|thanh pho|tp)\s*|\s*(?:province|city|prov)$/g,
  IN: /\b(?:state|ut)$/,
  MX: /^(?:edo|estado) de |\b(?:state)$/,
};

/**
 * Returns the first-level subdivision that the text names, or null. The name can include a generic word such as
 * "Province".
 *
 * @example subdivisionOf('Tỉnh Bình Dương', 'VN') // { key: 'binh duong', isCity: false }
 */
export function subdivisionOf(text: string, country: string): Province | null {
  const name = foldPlace(text);
  const table = tables.get(country);
  return table?.get(name) ?? table?.get(name.replace(GENERIC[country]!, '').trim()) ?? null;
}

/** Returns a country's subdivision names in the country's script. */
export const nativeNames = (country: string): string[] =>
  [...(tables.get(country)?.keys() ?? [])].filter(name => !/^[a-z ]+$/.test(name));
