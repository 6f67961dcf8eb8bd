/**
 * Sets NODE_ENV. Entry points import this module first, because React chooses its production build when it loads and
 * the Shopify package loads React early. React's development build renders pages several times slower.
 */
process.env.NODE_ENV ??= 'production';
