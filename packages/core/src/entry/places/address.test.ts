import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { addressParts } from './address.ts';
import { readUsAddress } from './us-address.ts';

/** Returns every combination of one item from each list. */
const combine = <T>(...lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((all, list) => all.flatMap(items => list.map(item => [...items, item])), [[]]);

/** Street lines in USPS Publication 28 formats. */
const STREETS = [
  '410 Alder Street',
  '1200 Harbor Way, Suite 200',
  '101 N Main St Apt 12',
  '8500 Beverly Blvd # 310',
  '1 Microsoft Way',
  '4500 S Highway 89',
  '22 W 34th St Fl 5',
  'PO Box 1234',
  'P.O. Box 98',
  'RR 2 Box 152',
  'HC 68 Box 23A',
  '1500-A Rte 66',
  '39.2 Riverside Ave NW',
];
const CITIES = [
  ['Portland', 'OR', '97205'],
  ['Long Beach', 'CA', '90802-1234'],
  ['St. Louis', 'MO', '63101'],
  ['San Juan', 'PR', '00901'],
  ['New York', 'NY', '10001'],
  ['Washington', 'DC', '20500'],
  ["Coeur d'Alene", 'ID', '83814'],
  ['Winston-Salem', 'NC', '27101'],
  ['Hagåtña', 'GU', '96910'],
] as const;
/** Separators between the street and the city, and between the city and the state. */
const JOINS = [', ', ' ', '\n'];
const ENDS = ['', ', USA', ', United States', ' U.S.A.', '\nUSA'];

describe('readUsAddress', () => {
  const all = combine<unknown>(STREETS, CITIES, JOINS, ENDS) as [string, (typeof CITIES)[number], string, string][];

  it('parses more than 1,000 addresses in Postal Service formats', () => {
    expect(all.length).toBeGreaterThan(1000);
    const wrong = all.filter(([street, [city, state, zip], join, end]) => {
      const read = readUsAddress(`${street}${join}${city}${join === ' ' ? ' ' : ', '}${state} ${zip}${end}`);
      return JSON.stringify(read) !== JSON.stringify({ street, city, state, zip });
    });
    expect(wrong.map(each => JSON.stringify(each))).toEqual([]);
  });

  it.each([
    ['PSC 3 Box 1234, APO, AE 09001', 'APO', 'AE'],
    ['USS Nimitz, FPO, AP 96349', 'FPO', 'AP'],
    ['410 Alder Street, Portland, Oregon 97205', 'Portland', 'OR'],
    ['410 Alder Street, Portland, OR', 'Portland', 'OR'],
    ['410 alder street, portland, or 97205', 'portland', 'OR'],
    ['Urb Las Gladiolas, 150 Calle A, San Juan, PR 00926', 'San Juan', 'PR'],
  ])('reads %s', (text, city, state) => {
    expect(readUsAddress(text)).toMatchObject({ city, state });
  });

  it.each([
    '410 Alder Street',
    'x, y, z',
    'Log in',
    '88 Keyuan Road, Shenzhen, China',
    '10 Downing Street, London SW1A 2AA',
  ])('doesn’t read %s', text => {
    expect(readUsAddress(text)).toBeNull();
  });

  it('doesn’t find a city if the text contains only a street or unit, a state, and a ZIP Code', () => {
    expect(readUsAddress('410 Alder Street OR 97205')).toMatchObject({ city: '', state: 'OR' });
    expect(readUsAddress('Suite 200, OR 97205')).toMatchObject({ city: '' });
  });
});

describe('addressParts', () => {
  it.each([
    ['中国广东省深圳市南山区科苑路88号', 'CN'],
    ['广东省东莞市长安镇振安西路16号，中国', 'CN'],
    ['上海市浦东新区世纪大道100号, 中国', 'CN'],
    ['88 Keyuan Road, Nanshan District, Shenzhen, Guangdong 518057, China', 'CN'],
    ['臺灣臺北市信義區市府路45號', 'TW'],
    ['No. 7, Sec. 5, Xinyi Rd., Taipei City 110, Taiwan', 'TW'],
    ['日本東京都千代田区千代田1-1', 'JP'],
    ['1-1 Chiyoda, Chiyoda-ku, Tokyo 100-8111, Japan', 'JP'],
    ['대한민국 서울특별시 종로구 청와대로 1', 'KR'],
    ['152 Teheran-ro, Gangnam-gu, Seoul 06236, South Korea', 'KR'],
    ['Musterstraße 12, 10115 Berlin, Germany', 'DE'],
    ['Musterstraße 12, 10115 Berlin, Deutschland', 'DE'],
    ['12 Lê Lợi, Quận 1, TP. Hồ Chí Minh, Việt Nam', 'VN'],
    ['Plot 14, MIDC Phase II, Pune, Maharashtra 411019, India', 'IN'],
    ['Av. Insurgentes Sur 1602, Benito Juárez, 03940 Ciudad de México, CDMX, México', 'MX'],
    ['10 Downing Street, London SW1A 2AA, UK', 'GB'],
  ])('finds the city, the state, and the country in %s', (text, country) => {
    expect(addressParts(text, null)).toEqual({ hasCity: true, hasState: true, country });
  });

  it.each([
    ['x, y, z, USA', { hasState: false }],
    ['88 Keyuan Road, China', { hasCity: false, hasState: false }],
    ['科苑路88号', { hasCity: false, hasState: false, country: null }],
    ['Musterstraße 12', { hasCity: false, country: null }],
  ])('reports that %s is incomplete', (text, missing) => {
    expect(addressParts(text, null)).toMatchObject(missing);
  });
});

it('accepts a multiline address in a single field on a complete certificate, and joins the lines with commas', () => {
  const { city, state_province, postal_code, country, ...certifier } = completeRequest.certifier;
  const address = 'Cascade Building\n410 Alder Street\nPortland, OR 97205';
  const { completeness, request } = certificate(
    { ...completeRequest, certifier: { ...certifier, address } },
    sampleContext,
  );
  expect(completeness).toEqual({ status: 'complete', missing: [], contradictions: [] });
  expect(request.certifier!.address).toBe('Cascade Building, 410 Alder Street, Portland, OR 97205');
});
