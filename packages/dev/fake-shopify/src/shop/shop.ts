/** Fake shop. Tests can change any part of the shop at runtime. */
export interface FakeShop {
  /** Shop domain, such as `some-name.myshopify.com`. */
  readonly domain: string;
  /** Numeric shop ID in Shopify. */
  readonly number: number;
  name: string;
  zone: string;
  /** Storefront host. */
  host: string;
  /** Whether shoppers see the password page. */
  passwordProtected: boolean;
  /** Scopes that the merchant granted. */
  scopes: Set<string>;
  products: FakeProduct[];
  themes: FakeTheme[];
  /** Web pixels listed on every storefront page. */
  pixels: FakePixel[];
  scriptTags: { id: string; src: string }[];
  locales: { locale: string; primary: boolean; published: boolean }[];
  files: FakeFile[];
  /** Metafields by `<owner id> <namespace>.<key>`. */
  metafields: Map<string, { id: string; type: string; value: string }>;
  /** State created by requests: uploads (by key), bulk operations, and subscriptions. */
  readonly uploads: Map<string, FakeUpload>;
  readonly bulks: Map<string, Bulk>;
  readonly webhooks: { id: string; topic: string; uri: string; filter: string | null }[];
  /** Events that the app sent to Shopify Flow, in order. */
  readonly flowEvents: { readonly handle: string; readonly payload: Readonly<Record<string, unknown>> }[];
  readonly subscriptions: { id: string; name: string; status: string; test: boolean; trialDays: number }[];
}

export interface FakeProduct {
  readonly id: string;
  title: string;
  handle: string;
  vendor: string;
  productType: string;
  /** Whether the product has an image. */
  hasImage: boolean;
  status: 'ACTIVE' | 'DRAFT' | 'ARCHIVED';
  variants: FakeVariant[];
}

export interface FakeVariant {
  readonly id: string;
  readonly inventoryItemId: string;
  title: string;
  sku: string | null;
  /** GTIN or other product number, which Shopify calls a `barcode`. By default, a variant doesn't have one. */
  barcode?: string;
  price: string;
  harmonizedSystemCode: string | null;
  /** HTS codes by destination country. */
  countryCodes: { countryCode: string; harmonizedSystemCode: string }[];
  origin: string | null;
}

export interface FakeTheme {
  readonly id: string;
  name: string;
  role: 'MAIN' | 'UNPUBLISHED';
  /** Content of the theme files, by filename. The storefront is rendered from the published theme. */
  files: Map<string, string>;
}

/** Web pixel as listed on the storefront. */
export interface FakePixel {
  readonly id: string;
  readonly type: 'APP' | 'CUSTOM';
  /** Numeric app ID, `shopify-pixel` for Shopify's own pixels, or null for a custom pixel. */
  readonly apiClientId: number | string | null;
  readonly runtimeContext: 'STRICT' | 'LAX' | 'OPEN';
  readonly privacyPurposes: readonly string[];
  readonly configuration: Readonly<Record<string, unknown>> | null;
}

/** Staged file upload. */
interface FakeUpload {
  readonly filename: string;
  readonly mimeType: string;
  /** Form fields that the upload must contain unchanged. */
  readonly parameters: readonly { name: string; value: string }[];
  /** File content, or null until the file is uploaded. */
  bytes: Uint8Array | null;
}

export interface FakeFile {
  readonly id: string;
  url: string;
  bytes: Uint8Array;
  mimeType: string;
  alt: string | null;
  /** Number of remaining polls until the file is ready. */
  processing: number;
  /** Reason for the processing failure, or null if processing succeeds. */
  failed: string | null;
}

/** Bulk operation, which completes after a fixed number of polls. */
export interface Bulk {
  readonly id: string;
  readonly query: string;
  polls: number;
  /** Number of lines that the operation writes before timing out, or null if the operation doesn't time out. */
  readonly failAfter: number | null;
  /** Result lines with one JSON object each. */
  readonly lines: readonly string[];
  /** Number of result lines from the outermost connection. */
  readonly roots: number;
}

export const gid = (type: string, id: number | string): string => `gid://shopify/${type}/${id}`;

/** Returns the number at the end of a Shopify ID. */
export const numberOf = (id: string): string => id.split('/').at(-1)!;

/** Returns an empty shop. */
export function emptyShop(name: string): FakeShop {
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
    flowEvents: [],
    subscriptions: [],
  };
}

/** Derives a number from a name. The same name always yields the same number. */
function numberFor(name: string): number {
  let number = 7;
  for (const letter of name) number = (number * 31 + letter.charCodeAt(0)) % 90_000_000;
  return 10_000_000 + number;
}
