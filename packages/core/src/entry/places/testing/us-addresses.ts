import { type ExpectedAddress, type Random, seeded } from './random.ts';

/** Cities whose names are hard to parse, each with its state and the first digits of its ZIP Codes. */
const CITIES =
  `Portland OR 972|Long Beach CA 908|St. Louis MO 631|Saint Paul MN 551|Ft. Worth TX 761|Fort Wayne IN 468|New York NY 100|Washington DC 200
Coeur d'Alene ID 838|Winston-Salem NC 271|O'Fallon IL 622|North Las Vegas NV 890|West Palm Beach FL 334|South Bend IN 466|East Orange NJ 070
King of Prussia PA 194|Truth or Consequences NM 879|Kansas City MO 641|Kansas City KS 661|Oregon City OR 970|Iowa City IA 522|Nevada MO 647
California MD 206|Delaware OH 430|Indiana PA 157|Washington PA 153|Virginia Beach VA 234|Michigan City IN 463|Oklahoma City OK 731|Texas City TX 775
Lake Forest IL 600|Grand Rapids MI 495|Park City UT 840|Salt Lake City UT 841|Circle MT 592|Plaza ND 587|La Jolla CA 920|El Paso TX 799
Los Angeles CA 900|San Francisco CA 941|Baton Rouge LA 708|Des Moines IA 503|Mount Vernon NY 105|Mt. Pleasant SC 294|Cape May NJ 082
Rancho Cucamonga CA 917|Honolulu HI 968|Kailua Kona HI 967|Anchorage AK 995|Juneau AK 998|Boise ID 837|Bend OR 977|Normal IL 617
Paris TX 754|Mexico MO 652|Peru IN 469|Lebanon PA 170|China TX 776|Cuba NY 147|Moscow ID 838|Georgia VT 054|Jersey City NJ 073|Cleveland OH 441
Manchester NH 031|Burlington VT 054|Providence RI 029|Hartford CT 061|Boston MA 021|Portland ME 041|Wilmington DE 198|Baltimore MD 212
Charleston WV 253|Atlanta GA 303|Birmingham AL 352|Jackson MS 392|Little Rock AR 722|Nashville TN 372|Louisville KY 402|Milwaukee WI 532
Fargo ND 581|Sioux Falls SD 571|Omaha NE 681|Denver CO 802|Cheyenne WY 820|Albuquerque NM 871|Phoenix AZ 850|Seattle WA 981|Miami FL 331`
    .split(/[|\n]/)
    .map(line => /^(.+) ([A-Z]{2}) (\d{3})$/.exec(line)!.slice(1) as [string, string, string]);

const STATE_NAMES: Readonly<Record<string, string>> = {
  ...{ OR: 'Oregon', CA: 'California', MO: 'Missouri', MN: 'Minnesota', TX: 'Texas', IN: 'Indiana', NY: 'New York' },
  ...{
    ID: 'Idaho',
    NC: 'North Carolina',
    IL: 'Illinois',
    NV: 'Nevada',
    FL: 'Florida',
    NJ: 'New Jersey',
    PA: 'Pennsylvania',
  },
  ...{
    NM: 'New Mexico',
    KS: 'Kansas',
    IA: 'Iowa',
    MD: 'Maryland',
    OH: 'Ohio',
    VA: 'Virginia',
    OK: 'Oklahoma',
    MI: 'Michigan',
  },
  ...{
    UT: 'Utah',
    MT: 'Montana',
    ND: 'North Dakota',
    LA: 'Louisiana',
    SC: 'South Carolina',
    HI: 'Hawaii',
    AK: 'Alaska',
  },
  ...{ VT: 'Vermont', NH: 'New Hampshire', RI: 'Rhode Island', CT: 'Connecticut', MA: 'Massachusetts', ME: 'Maine' },
  ...{
    DE: 'Delaware',
    WV: 'West Virginia',
    GA: 'Georgia',
    AL: 'Alabama',
    MS: 'Mississippi',
    AR: 'Arkansas',
    TN: 'Tennessee',
  },
  ...{
    KY: 'Kentucky',
    WI: 'Wisconsin',
    SD: 'South Dakota',
    NE: 'Nebraska',
    CO: 'Colorado',
    WY: 'Wyoming',
    AZ: 'Arizona',
  },
  ...{ WA: 'Washington' },
};

const NAMES =
  'Main|Alder|Martin Luther King Jr|Saint Charles|Park|Lake Shore|Van Ness|King George|Ocean View|Dr. Phillips|Texas|5th|42nd|First'.split(
    '|',
  );
const SUFFIXES =
  'St|Street|Ave|Avenue|Blvd|Boulevard|Rd|Road|Dr|Drive|Ln|Way|Ct|Court|Cir|Pl|Pkwy|Ter|Trl|Hwy|Loop|Sq|Plz|Pike|Row|Aly|Xing|Cv|Run|Pt|Vw'.split(
    '|',
  );
const DIRECTIONS = ['N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW', 'North', 'South'];

/** Returns a delivery line in a format from Publication 28, chapter 2. */
function deliveryLine({ int, pick, chance, digits }: Random): string {
  const number = pick([
    () => digits(int(1, 5)),
    () => `${digits(3)} 1/2`,
    () => `${digits(2)}.${int(1, 9)}`,
    () => `${digits(3)}-${digits(2)}`,
    () => `${digits(4)}${pick(['A', 'B', '-C'])}`,
    () => `N${int(1, 9)}W${digits(5)}`,
  ]);
  const street = () => {
    const before = chance(0.25) ? `${pick(DIRECTIONS)} ` : '';
    const after = chance(0.2) ? ` ${pick(['N', 'SE', 'NW', 'W'])}` : '';
    return `${before}${pick(NAMES)} ${pick(SUFFIXES)}${chance(0.1) ? '.' : ''}${after}`;
  };
  const unit = () =>
    pick([
      () => `Apt ${int(1, 99)}${pick(['', 'A', 'B'])}`,
      () => `Suite ${digits(3)}`,
      () => `Ste ${digits(3)}-${pick(['A', 'B'])}`,
      () => `Unit ${int(1, 20)}`,
      () => `# ${digits(3)}`,
      () => `#${digits(2)}`,
      () => `Bldg ${pick(['A', 'B', '4'])}`,
      () => `Fl ${int(2, 60)}`,
      () => `Floor ${int(2, 60)}`,
      () => `Rm ${digits(3)}`,
      () => `PMB ${digits(3)}`,
      () => `Lot ${int(1, 60)}`,
      () => `Dept ${int(1, 60)}`,
    ])();
  return pick([
    () => `${number()} ${street()}`,
    () => `${number()} ${street()}`,
    () => `${number()} ${street()}${pick([' ', ', '])}${unit()}`,
    () => `${number()} ${street()}${pick([' ', ', '])}${unit()}`,
    () => `${pick(['PO Box', 'P.O. Box', 'P O Box', 'Post Office Box', 'POB', 'Box'])} ${digits(int(1, 5))}`,
    () => `${pick(['RR', 'Rural Route', 'HC'])} ${int(1, 9)} Box ${digits(2)}${pick(['', 'A'])}`,
    () =>
      `${number()} ${pick(['County Road', 'State Road', 'US Highway', 'Highway', 'Route', 'Rte', 'CR', 'FM', 'State Highway'])} ${digits(int(2, 3))}`,
    () => `${digits(3)} E ${digits(2)}00 S`,
    () =>
      `${digits(3)} ${pick(['Avenue of the Americas', 'Broadway', 'The Embarcadero', 'Calle Real', 'Camino Del Rio'])}`,
    () => `${digits(3)} ${street()}, ${pick(['c/o Mail Center', 'Attn: Compliance', 'Building 4, Dock 12'])}`,
  ])();
}

/** Returns the city, state, and ZIP Code of a random place in a state or territory, or of a military post office. */
function lastLine(random: Random): { city: string; state: string; zip: string; line1?: string } {
  const { pick, digits, chance, int } = random;
  const plus4 = () => (chance(0.3) ? `-${digits(4)}` : '');
  const kind = int(1, 12);
  if (kind === 1) {
    const [city, state, zip] = pick([
      ['APO', 'AE', '09'],
      ['FPO', 'AP', '96'],
      ['DPO', 'AA', '34'],
      ['APO', 'AP', '96'],
    ] as const);
    const line1 = pick([
      () => `PSC ${digits(3)} Box ${digits(4)}`,
      () => `Unit ${digits(4)} Box ${digits(4)}`,
      () => `CMR ${digits(3)} Box ${digits(2)}`,
      () => `USS Nimitz`,
    ])();
    return { city, state, zip: `${zip}${digits(3)}${plus4()}`, line1 };
  }
  if (kind === 2) {
    const [city, state, zip] = pick([
      ['San Juan', 'PR', '009'],
      ['Ponce', 'PR', '007'],
      ['Mayagüez', 'PR', '006'],
      ['Hagåtña', 'GU', '969'],
      ['Saipan', 'MP', '969'],
      ['Pago Pago', 'AS', '967'],
      ['St Thomas', 'VI', '008'],
      ['Christiansted', 'VI', '008'],
    ] as const);
    const puertoRican = pick([
      () => `Urb Las Gladiolas, ${digits(3)} Calle A`,
      () => `Cond Miraflores Apt ${digits(3)}, ${int(1, 99)} Calle Sol`,
      () => `HC ${int(1, 9)} Box ${digits(5)}`,
      () => `PO Box ${digits(4)}`,
      () => `${digits(4)} Ave Ponce de Leon, Ste ${digits(3)}`,
    ])();
    const line1 = state === 'PR' ? puertoRican : `${digits(3)} Marine Corps Dr, Ste ${digits(2)}`;
    return { city, state, zip: `${zip}${digits(2)}${plus4()}`, line1 };
  }
  const [city, state, zip] = pick(CITIES);
  return { city, state, zip: `${zip}${digits(2)}${plus4()}` };
}

/**
 * Generates addresses in USPS Publication 28 formats: one line with commas, several lines, uppercase without
 * punctuation, and lowercase. The state is a code or a name, and the country can be omitted.
 */
export function usAddresses(count: number, seed: number): ExpectedAddress[] {
  const random = seeded(seed);
  const { pick, chance } = random;
  return Array.from({ length: count }, () => {
    const { city, state, zip, line1 } = lastLine(random);
    const street = line1 ?? deliveryLine(random);
    const name = STATE_NAMES[state];
    const written = name !== undefined && chance(0.2) ? name : state;
    const country = pick(['', '', '', 'USA', 'U.S.A.', 'United States', 'US', 'United States of America']);
    const style = pick(['commas', 'commas', 'lines', 'lines', 'label'] as const);
    const gap = style === 'commas' ? ', ' : '\n';
    const comma = style === 'label' ? ' ' : pick([', ', ', ', ' ']);
    const end = country === '' ? '' : `${pick([', ', '\n', ' '])}${country}`;
    const plain = style === 'label' ? street.replace(/\.(?!\d)/g, '') : street;
    const text = `${style === 'lines' ? plain.replace(', ', '\n') : plain}${gap}${city}${comma}${written} ${zip}${end}`;
    const cased = style === 'label' ? text.toUpperCase() : chance(0.1) ? text.toLowerCase() : text;
    return { text: cased, country: 'US', street: plain, city, state, postalCode: zip };
  });
}
