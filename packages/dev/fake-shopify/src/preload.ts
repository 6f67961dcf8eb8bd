import { wireFetch } from './wire-fetch.ts';

// Preload script that routes Shopify requests to the fake Shopify for an app in a separate process:
// `node --import @compliance/fake-shopify/preload …`.
const url = process.env.FAKE_SHOPIFY_URL;
if (!url) throw new Error('FAKE_SHOPIFY_URL must be the URL of the fake Shopify.');
wireFetch({ url });
