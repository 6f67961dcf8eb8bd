import { webcrypto as nodeCrypto } from 'node:crypto';

/** Node's Web Crypto API, which isn't a global in Node 18. */
export const webcrypto: typeof nodeCrypto = nodeCrypto;
