import { sampleShop } from '../../../stand-in/shop/samples.ts';
import { createWorld } from './world.ts';

/**
 * A second process that works: `node child.ts <data folder> <stand-in> <shop>`. It has a storefront of its own, like the first's,
 * and ends when nothing waits any more.
 */
const [dataDir, url, name] = process.argv.slice(2) as [string, string, string];
const world = await createWorld({ dataDir, url });
await world.standIn.add(sampleShop(name));
await world.work(`${name}.myshopify.com`);
await world.close();
