/**
 * Imported before everything else by what serves the app: React is its production form only when this is said before it is
 * loaded, and Shopify's package loads it early. The other form renders pages several times slower.
 */
process.env.NODE_ENV ??= 'production';
