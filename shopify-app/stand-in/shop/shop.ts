/** What a shop of the stand-in is made of. All of it may be changed while the stand-in runs. */
export interface StandInShop {
  /** `some-name.myshopify.com` */
  readonly domain: string;
  /** Shopify's number of the shop. */
  readonly number: number;
  name: string;
  zone: string;
  /** The host that shoppers see. */
  host: string;
  /** Whether shoppers meet a page that asks for a password. */
  passwordProtected: boolean;
  /** Scopes that the merchant granted. */
  scopes: Set<string>;
  products: StandInProduct[];
  themes: StandInTheme[];
  /** Tags that web pixels put on the storefront: entries of the list that every page carries. */
  pixels: StandInPixel[];
  scriptTags: { id: string; src: string }[];
  locales: { locale: string; primary: boolean; published: boolean }[];
  files: StandInFile[];
  /** By `<owner id> <namespace>.<key>`. */
  metafields: Map<string, { id: string; type: string; value: string }>;
  /** What was asked of the shop and lies there: uploads by key, bulk operations, subscriptions. */
  readonly uploads: Map<string, StandInUpload>;
  readonly bulks: Map<string, Bulk>;
  readonly webhooks: { id: string; topic: string; uri: string; filter: string | null }[];
  readonly subscriptions: { id: string; name: string; status: string; test: boolean; trialDays: number }[];
}

export interface StandInProduct {
  readonly id: string;
  title: string;
  handle: string;
  vendor: string;
  productType: string;
  status: 'ACTIVE' | 'DRAFT' | 'ARCHIVED';
  variants: StandInVariant[];
}

export interface StandInVariant {
  readonly id: string;
  readonly inventoryItemId: string;
  title: string;
  sku: string | null;
  price: string;
  harmonizedSystemCode: string | null;
  /** Codes for countries of destination. */
  countryCodes: { countryCode: string; harmonizedSystemCode: string }[];
  origin: string | null;
}

export interface StandInTheme {
  readonly id: string;
  name: string;
  role: 'MAIN' | 'UNPUBLISHED';
  /** Text by file name; the storefront is rendered from the published theme's. */
  files: Map<string, string>;
}

/** A web pixel as the storefront names it. */
export interface StandInPixel {
  readonly id: string;
  readonly type: 'APP' | 'CUSTOM';
  /** The app's number; custom pixels have none. */
  readonly apiClientId: number | string | null;
  readonly runtimeContext: 'STRICT' | 'LAX' | 'OPEN';
  readonly privacyPurposes: readonly string[];
  readonly configuration: Readonly<Record<string, unknown>> | null;
}

/** Room for a file that is to come. */
interface StandInUpload {
  readonly filename: string;
  readonly mimeType: string;
  /** Form fields that must come with it, as they were given out. */
  readonly parameters: readonly { name: string; value: string }[];
  /** Null until it was sent. */
  bytes: Uint8Array | null;
}

export interface StandInFile {
  readonly id: string;
  url: string;
  bytes: Uint8Array;
  mimeType: string;
  alt: string | null;
  /** How often it is asked for until it is ready. */
  processing: number;
  /** Why it could not be processed. */
  failed: string | null;
}

/** A bulk operation on its way: it is done after it was asked for so many times. */
export interface Bulk {
  readonly id: string;
  readonly query: string;
  polls: number;
  /** Ends in a timeout after this many lines, which then are the partial data. */
  readonly failAfter: number | null;
  /** What it found, a line of JSON for each object. */
  readonly lines: readonly string[];
  /** How many of them are of the outermost connection. */
  readonly roots: number;
}

export const gid = (type: string, id: number | string): string => `gid://shopify/${type}/${id}`;

/** The number at the end of an id. */
export const numberOf = (id: string): string => id.split('/').at(-1)!;

/** A shop with nothing in it, to be filled. */
export function emptyShop(name: string): StandInShop {
  return {
    domain: `${name}.myshopify.com`,
    number: numberFor(name),
    name,
    zone: 'America/New_York',
    host: `www.${name}.example`,
    passwordProtected: false,
    scopes: new Set(['read_products', 'read_themes']),
    products: [],
    themes: [],
    pixels: [],
    scriptTags: [],
    locales: [{ locale: 'en', primary: true, published: true }],
    files: [],
    metafields: new Map(),
    uploads: new Map(),
    bulks: new Map(),
    webhooks: [],
    subscriptions: [],
  };
}

/** The same number for the same name, another for another. */
function numberFor(name: string): number {
  let number = 7;
  for (const letter of name) number = (number * 31 + letter.charCodeAt(0)) % 90_000_000;
  return 10_000_000 + number;
}
