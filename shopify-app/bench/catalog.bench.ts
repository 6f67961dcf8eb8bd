// How long a big catalog is read.
import { type Row, report, spent } from '@compliance/bench';
import { startReading } from '../src/catalog/catalog.ts';
import { createWorld } from '../src/scan/testing/world.ts';
import { bigShop } from '../stand-in/shop/samples.ts';

const VARIANTS = 5_000;

const world = await createWorld();
const given = bigShop(VARIANTS);
const shop = await world.install(given);
const readings: Row[] = [];
for (const which of ['first', 'second']) {
  const ms = await spent(async () => {
    await startReading(shop);
    await world.work(given.domain);
  });
  const what = `${which} reading of a catalog of ${VARIANTS} variants`;
  readings.push({ what, value: ms, unit: 'ms', beside: 'from a Shopify that is stood in for' });
}
report(readings);
await world.close();
