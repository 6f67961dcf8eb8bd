import { startReading } from '../src/catalog/catalog.ts';
import { createWorld } from '../src/scan/testing/world.ts';
import { bigShop } from '../stand-in/shop/samples.ts';

const VARIANTS = 5_000;

const world = await createWorld();
const given = bigShop(VARIANTS);
const shop = await world.install(given);
const read = async () => {
  const started = performance.now();
  await startReading(shop);
  await world.work(given.domain);
  return performance.now() - started;
};
for (const which of ['first', 'second'])
  console.log(`${VARIANTS} variants, ${which} reading: ${((await read()) / 1000).toFixed(1)} s`);

await world.close();
