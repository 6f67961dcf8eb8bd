import { sampleShop } from '@compliance/fake-shopify';
import { createJobHarness } from './job-harness.ts';

/**
 * Runs a shop's jobs in a second process: `node worker-process.ts <data folder> <fake Shopify URL> <shop>`. The process
 * has its own copy of the storefront and exits when no jobs are due.
 */
const [dataDir, url, name] = process.argv.slice(2) as [string, string, string];
const harness = await createJobHarness({ dataDir, url });
await harness.fakeShopify.add(sampleShop(name));
await harness.work(`${name}.myshopify.com`);
await harness.close();
