import '../src/set-node-env.ts';
import { startFakeShopify, wireFetch } from '@compliance/fake-shopify';
import { serveTestApp } from '../test/serve-app.ts';

/**
 * Serves the built app, runs its jobs in the same process, as in production, and prints the app's URL: `node
 * pages-app.ts <data folder> <fake Shopify URL> [PostgreSQL URL]`.
 */
const [dataDir, url, databaseUrl] = process.argv.slice(2) as [string, string, string | undefined];
wireFetch({ url });
const app = await serveTestApp(await startFakeShopify([]), { dataDir, databaseUrl, jobsAtOnce: 2 });
process.stdout.write(`${app.url}\n`);
