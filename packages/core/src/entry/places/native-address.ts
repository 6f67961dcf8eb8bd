import type { Address } from './parts.ts';
import { splitCountry } from './places.ts';
import { nativeNames } from './subdivisions.ts';

const anyOf = (names: readonly string[]) => [...names].sort((a, b) => b.length - a.length).join('|');

/** Format for addresses in a country's own script, which list the largest unit first and the smallest last. */
interface NativeFormat {
  readonly country: string;
  /** Matches a postal code. */
  readonly postalCode: RegExp;
  /** Matches the state, city, and remainder of an address whose postal code and country have been removed. */
  readonly parts: RegExp;
}

const KOREAN_STATE = `(?:${anyOf(nativeNames('KR'))})(?:특별자치도|특별자치시|특별시|광역시|도|시)?`;
const CHINESE_STATE = `(?:${anyOf(nativeNames('CN'))})(?:省|市|(?:壮族|回族|维吾尔)?自治区)?`;
const JAPANESE_STATE = `(?:${anyOf(nativeNames('JP'))})[都府県]?`;
/** Japanese cities whose names contain a character that usually ends an address unit, such as 市. */
const JAPANESE_CITY = `(?:四日市|廿日市|野々市|東村山|武蔵村山|羽村|十日町|大町|町田|村山|村上|田村|大村|郡山|郡上|蒲郡|小郡|大和郡山|市川|市原)市`;
const TAIWANESE_CITY =
  '[臺台]北市|新北市|桃園市|[臺台]中市|[臺台]南市|高雄市|基隆市|新竹[市縣]|嘉義[市縣]|苗栗縣|彰化縣|南投縣|雲林縣|屏[東东]縣|宜蘭縣|花蓮縣|[臺台]東縣|澎湖縣|金門縣|連江縣';

const FORMATS: readonly NativeFormat[] = [
  {
    country: 'KR',
    postalCode: /(?:우편번호|우)?\s*[([]?(?<!\d)(\d{5}|\d{3}-\d{3})(?![\d-])[)\]]?/,
    parts: new RegExp(
      String.raw`^(?:(?<state>${KOREAN_STATE})\s+)?(?:(?<city>\p{Script=Hangul}+[시군])(?=\s)\s*)?(?<street>.*)$`,
      'u',
    ),
  },
  {
    country: 'JP',
    postalCode: /〒?\s*(?<!\d)(\d{3}-\d{4})(?!\d)/,
    parts: new RegExp(
      String.raw`^(?<state>${JAPANESE_STATE})?\s*(?<city>${JAPANESE_CITY}|\p{L}{1,6}?郡\s*\p{L}{1,6}?[町村]|\p{L}{1,6}?[市区]|\p{L}{1,6}?[町村])\s*(?<street>.*)$`,
      'u',
    ),
  },
  {
    country: 'TW',
    postalCode: /(?<![\d-])(\d{3}(?:-?\d{2,3})?)(?![\d-]|[號号樓楼巷弄段之])/,
    parts: new RegExp(String.raw`^(?:[臺台]灣省)?\s*(?<city>${TAIWANESE_CITY})\s*(?<street>.*)$`, 'u'),
  },
  {
    country: 'CN',
    postalCode: /(?:邮政编码|邮编|郵編)?\s*[:：]?\s*[([]?(?<![\d-])(\d{6})(?![\d-]|[号號室])[)\]]?/,
    parts: new RegExp(
      String.raw`^(?<state>${CHINESE_STATE})?\s*(?<city>\p{L}{1,12}?(?:自治州|地区|市|盟|县|區|区))?\s*(?<street>.*)$`,
      'u',
    ),
  },
];

/** Matches country names, except in street names such as 臺灣大道. */
const COUNTRY_NAMES: readonly [name: RegExp, country: string][] = [
  [countryPattern('中华人民共和国|中華人民共和國|中国|中國'), 'CN'],
  [countryPattern('中華民國|[臺台][灣湾](?!省)'), 'TW'],
  [countryPattern('日本国|日本'), 'JP'],
  [countryPattern('대한민국|한국'), 'KR'],
];

function countryPattern(names: string): RegExp {
  return new RegExp(String.raw`(?<=^|[\s,，、;；\d(])(?:${names})(?!大道|路|街|橋|大通)|(?:${names})(?=[\s)]*$)`);
}

/**
 * Parses an address in Chinese, Japanese, or Korean characters. The parts can be in native order, or in Western order
 * if they're separated by punctuation or line breaks. Returns null if the text doesn't contain such characters, or if
 * it also contains words in Latin letters and no part starts with a state, a province, or a city.
 *
 * @example readNativeAddress('〒100-8111 東京都千代田区千代田1-1', 'JP')?.city // '千代田区'
 */
export function readNativeAddress(text: string, country: string | null): Address | null {
  if (!/[\p{Script=Han}\p{Script=Hangul}]/u.test(text)) return null;
  const half = text.normalize('NFKC').replace(/[\u2010-\u2015\u2212ー](?=\d)/g, '-');
  const stated = COUNTRY_NAMES.find(([name]) => name.test(half));
  const named = country ?? stated?.[1] ?? splitCountry(half).country;
  const address = splitCountry(stated ? half.replace(stated[0], ' ').trim() : half).rest.trim();
  const read = FORMATS.filter(({ country: home }) => named === null || named === home).flatMap(
    format => readAs(format, address) ?? [],
  );
  const best = read.find(({ state, country: home }) => state !== '' || home === 'TW') ?? read[0];
  if (best) return { ...best, country: named };
  // An address in Latin letters can name its country in another script.
  if (/\p{Script=Latin}{3}/u.test(address)) return null;
  return { street: address, city: '', state: '', postalCode: '', country: named };
}

/** Parses an address in a country's format. Returns null if the address has neither a state nor a city. */
function readAs({ country, postalCode, parts }: NativeFormat, address: string): Address | null {
  const code = postalCode.exec(address);
  const rest = code ? `${address.slice(0, code.index)} ${address.slice(code.index + code[0].length)}` : address;
  const units = rest
    .split(/[,，、;；\n]/)
    .map(each => each.replace(/\s+/g, ' ').trim())
    .filter(each => each !== '' && each !== '()');
  // A company name can precede the address.
  const starts = [...units.keys()].map(at => [...units.slice(at), ...units.slice(0, at)]);
  const orders = [...starts, [...units].reverse()].map(order => readUnits(order.join(' '), country, parts));
  const read =
    orders.find(each => each.state !== '' && each.city !== '') ??
    orders.find(each => each.city !== '' || each.state !== '');
  return read ? { ...read, postalCode: code?.[1] ?? '', country } : null;
}

function readUnits(text: string, country: string, parts: RegExp): Pick<Address, 'street' | 'city' | 'state'> {
  // Of these languages, only Korean is written with spaces between address units.
  const read = parts.exec(country === 'KR' ? text : text.replace(/(?<=[\p{Script=Han}\d])\s+(?=\p{Script=Han})/gu, ''));
  const { state = '', city = '', street = '' } = read?.groups ?? {};
  return MUNICIPALITY.test(state)
    ? { street: `${city}${street}`.trim(), city: state, state }
    : { street: street.trim(), city, state };
}

/** Matches a province-level city. Addresses in such a city include a district but no other city. */
const MUNICIPALITY =
  /^(?:北京|上海|天津|重[庆慶])|(?:특별|광역|자치)시$|^(?:서울|부산|대구|인천|광주|대전|울산|세종)시?$/;
