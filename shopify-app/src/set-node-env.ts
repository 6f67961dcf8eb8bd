/**
 * Sets NODE_ENV to `production` if it isn't set. Entry points import this module first, because React chooses between
 * its production and development builds when it loads, and the Shopify package loads React early. The development build
 * renders pages several times slower.
 */
process.env.NODE_ENV ??= 'production';
