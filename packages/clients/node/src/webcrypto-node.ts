import { webcrypto as nodeCrypto } from 'node:crypto';

/** The Web Crypto API of Node. Node 18 doesn't have it as a global. */
export const webcrypto: typeof nodeCrypto = nodeCrypto;
