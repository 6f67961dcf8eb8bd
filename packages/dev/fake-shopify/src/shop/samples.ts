import { emptyShop, type FakeProduct, type FakeShop, gid } from './shop.ts';
import { PASTED, PIXELS, sampleThemeFiles } from './theme.ts';

/** Products with valid, short, missing, and invalid HTS codes, as entered by a merchant. */
const PRODUCTS: readonly [title: string, type: string, vendor: string, code: string | null, origin: string | null][] = [
  ['Hex bolt M8, box of 100', 'Hardware', 'Ridgeline Tools', '7318152061', 'TW'],
  ['Steel shelf bracket', 'Hardware', 'Ridgeline Tools', '8302500000', 'CN'],
  ['Cast iron skillet 10"', 'Kitchen', 'Ember & Oak', '7323910010', 'CN'],
  ['Stainless mixing bowl set', 'Kitchen', 'Ember & Oak', '7323930080', 'IN'],
  ['Aluminum camp chair', 'Outdoor', 'Farpoint', '9401710031', 'VN'],
  ['Aluminum trekking poles', 'Outdoor', 'Farpoint', '6602000000', 'CN'],
  ['Copper moscow mule mug', 'Kitchen', 'Ember & Oak', '7418100040', 'IN'],
  ['Bicycle helmet, adult', 'Cycling', 'Velora', '6506103045', 'CN'],
  ['Bicycle, 7-speed city', 'Cycling', 'Velora', '8712002600', 'TW'],
  ['Bike rack, hitch mount', 'Cycling', 'Velora', '870899', 'TW'],
  ['Cotton tote bag', 'Bags', 'Plain CatalogItem', '4202923131', 'IN'],
  ['Linen apron', 'Kitchen', 'Plain CatalogItem', '621143', 'PT'],
  ['Ceramic pour-over set', 'Kitchen', 'Ember & Oak', '6912003550', 'JP'],
  ['Beeswax candle', 'Home', 'Hearthside', '3406000000', 'US'],
  ['Oak side table', 'Furniture', 'Hearthside', '9403608093', 'VN'],
  ['Upholstered reading chair', 'Furniture', 'Hearthside', '9401616011', 'VN'],
  ['Table lamp, brass', 'Lighting', 'Hearthside', '9405216010', 'CN'],
  ['Extension cord 6 ft', 'Electrical', 'Ridgeline Tools', '8544429090', 'CN'],
  ['Portable air pump', 'Cycling', 'Velora', '8414208000', 'CN'],
  ['Garden trowel', 'Garden', 'Greenrow', '8201900000', null],
  ['Watering can, galvanized', 'Garden', 'Greenrow', '7326908688', 'IN'],
  ['Wire plant support', 'Garden', 'Greenrow', null, 'CN'],
  ['Wool blanket', 'Home', 'Plain CatalogItem', null, null],
  ['Notebook, lined', 'Stationery', 'Plain CatalogItem', '4820102020', 'JP'],
  ['Wood screws no. 8, box of 50', 'Hardware', 'Ridgeline Tools', '731812', 'TW'],
  ['Anchor chain, galvanized', 'Hardware', 'Ridgeline Tools', '7315825000', 'CN'],
  ['Adjustable wrench', 'Hardware', 'Ridgeline Tools', '8204120000', 'CN'],
  ['Door hinge, pair', 'Hardware', 'Ridgeline Tools', '83021060', 'CN'],
  ['Copper pipe, 3 m', 'Plumbing', 'Ridgeline Tools', '7411101030', 'MX'],
  ['Copper saucepan', 'Kitchen', 'Ember & Oak', '7418100030', 'FR'],
  ['Aluminum foil trays', 'Kitchen', 'Ember & Oak', '7615107180', 'CN'],
  ['Chef knife 20 cm', 'Kitchen', 'Ember & Oak', '8211922000', 'DE'],
  ['Enamel kettle', 'Kitchen', 'Ember & Oak', '73239400', 'TR'],
  ['Bicycle chain, 11-speed', 'Cycling', 'Velora', '7315110060', 'JP'],
  ['Spokes, stainless, set of 36', 'Cycling', 'Velora', '8714923000', 'TW'],
  ['Folding camp stove', 'Outdoor', 'Farpoint', '7321114000', 'KR'],
  ['Tent, two persons', 'Outdoor', 'Farpoint', '6306220000', 'VN'],
  ['Steel water bottle', 'Outdoor', 'Farpoint', '7323930045', 'CN'],
  ['Gift card holder', 'Stationery', 'Plain CatalogItem', '9503000', null],
  ['Kids wooden puzzle', 'Toys', 'Plain CatalogItem', '9503000071', 'CN'],
];

/** Hostile product titles that can break web pages, spreadsheets, and line-based text. */
const HOSTILE = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=1</script>',
  '=HYPERLINK("http://evil.example","click")',
  '@SUM(A1:A9)',
  "Robert'); DROP TABLE variants;--",
  '\u202Egnp.exe \u05E9\u05DC\u05D5\u05DD',
  '👩‍🚀 {{ shop.name }} #{7*7}',
  'A'.repeat(255),
];

function product(
  number: number,
  [title, productType, vendor, code, origin]: (typeof PRODUCTS)[number],
  variants = 1,
): FakeProduct {
  return {
    id: gid('Product', number),
    title,
    handle: `product-${number}`,
    vendor,
    productType,
    hasImage: number % 7 !== 0,
    status: 'ACTIVE',
    variants: Array.from({ length: variants }, (_, index) => ({
      id: gid('ProductVariant', number * 100 + index),
      inventoryItemId: gid('InventoryItem', number * 100 + index),
      title: variants === 1 ? 'Default Title' : ['Small', 'Medium', 'Large'][index % 3]!,
      sku: `SKU-${number}-${index + 1}`,
      price: '24.00',
      harmonizedSystemCode: code,
      countryCodes: [],
      origin,
    })),
  };
}

/**
 * Returns a typical shop with an outdated tag in the theme, a pasted pixel that an app also adds, and products with
 * valid, short, missing, and invalid HTS codes.
 */
export function sampleShop(name = 'sample-shop'): FakeShop {
  const shop = emptyShop(name);
  shop.name = 'Sample Shop';
  shop.products = PRODUCTS.map((row, index) => product(index + 1, row, (index % 3) + 1));
  shop.pixels = [PIXELS.meta];
  // An HTS code for the United States takes precedence over the general code.
  shop.products[1]!.variants[0]!.countryCodes = [{ countryCode: 'US', harmonizedSystemCode: '8302506000' }];
  shop.themes = [
    {
      id: gid('OnlineStoreTheme', 101),
      name: 'Dawn',
      role: 'MAIN',
      files: sampleThemeFiles(`${PASTED.universalAnalytics}\n${PASTED.metaPixel}`),
    },
    {
      id: gid('OnlineStoreTheme', 102),
      name: 'Dawn, Christmas',
      role: 'UNPUBLISHED',
      files: sampleThemeFiles(''),
    },
  ];
  return shop;
}

/** Returns the sample shop before its launch, with a password page. */
export function passwordShop(name = 'password-shop'): FakeShop {
  const shop = sampleShop(name);
  shop.passwordProtected = true;
  return shop;
}

/** Returns the sample shop with a theme that produces no scan errors or warnings. */
export function cleanShop(name = 'clean-shop'): FakeShop {
  const shop = sampleShop(name);
  shop.themes[0]!.files = sampleThemeFiles('');
  return shop;
}

/** Returns a shop whose product titles, vendors, and one snippet filename contain hostile text. */
export function hostileShop(name = 'hostile-shop'): FakeShop {
  const shop = sampleShop(name);
  HOSTILE.forEach((title, index) => {
    shop.products[index]!.title = title;
    shop.products[index]!.vendor = title.slice(0, 100);
  });
  shop.themes[0]!.files.set('snippets/<img src=x onerror=window.hacked=1>.liquid', PASTED.tagManager);
  return shop;
}

/** Returns a shop with enough variants for a bulk operation. */
export function bigShop(variants = 5_000, name = 'big-shop'): FakeShop {
  const shop = sampleShop(name);
  const each = 4;
  shop.products = Array.from({ length: variants / each }, (_, index) => {
    const row = PRODUCTS[index % PRODUCTS.length]!;
    return product(index + 1, [`${row[0]} no. ${index + 1}`, row[1], row[2], row[3], row[4]], each);
  });
  return shop;
}
