import { describeEachEngine } from '../testing/engines.ts';
import { startShopStore } from './shop-store.ts';
import { registerShopContract } from './testing/contract/index.ts';

await describeEachEngine(startShopStore, registerShopContract);
