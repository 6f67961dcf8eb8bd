/**
 * Sets NODE_ENV. Entry points import this module first, because React chooses its production build when it loads and
 * the Shopify package loads React early. React's development build is several times slower at rendering pages.
 */
process.env.NODE_ENV ??= 'production';
