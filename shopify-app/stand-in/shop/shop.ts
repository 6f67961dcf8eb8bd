/** What a shop of the stand-in is made of. All of it may be changed while the stand-in runs. */
export interface StandInShop {
  /** `some-name.myshopify.com` */
  readonly domain: string;
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
  scriptTags: { id: string; src: string }[];
  files: StandInFile[];
  /** By `<owner id> <namespace>.<key>`. */
  metafields: Map<string, { id: string; type: string; value: string }>;
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

export interface StandInFile {
  readonly id: string;
  url: string;
  bytes: Uint8Array;
  mimeType: string;
  /** How often it is asked for until it is ready. */
  processing: number;
}

export const gid = (type: string, id: number | string): string => `gid://shopify/${type}/${id}`;

/** A shop with nothing in it, to be filled. */
export function emptyShop(name: string): StandInShop {
  return {
    domain: `${name}.myshopify.com`,
    name,
    zone: 'America/New_York',
    host: `www.${name}.example`,
    passwordProtected: false,
    scopes: new Set(['read_products', 'read_themes']),
    products: [],
    themes: [],
    scriptTags: [],
    files: [],
    metafields: new Map(),
  };
}
