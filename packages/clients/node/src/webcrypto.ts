/** The Web Crypto API of every runtime except Node 18. */
export const webcrypto: Crypto = globalThis.crypto;
