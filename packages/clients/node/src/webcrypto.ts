/** Web Crypto API for all runtimes except Node 18. */
export const webcrypto: Crypto = globalThis.crypto;
