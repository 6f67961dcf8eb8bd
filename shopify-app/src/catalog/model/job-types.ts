/** Catalog job types, as stored in the queue. */
export const CATALOG = 'catalog';
export const PRODUCT = 'product';
export const CATALOG_NIGHT = 'catalog_night';
export const TARIFF_RECHECK = 'tariff_recheck';
export const SAVE_CODES = 'save_codes';
