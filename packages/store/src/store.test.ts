import { startStore } from './store.ts';
import { registerStoreContract } from './testing/contract/index.ts';
import { describeEachEngine } from './testing/engines.ts';

await describeEachEngine(startStore, registerStoreContract);
