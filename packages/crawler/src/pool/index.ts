export { beside, createPool, type Pool, type PoolOptions } from './pool.ts';
export { PoolError, type PoolReason } from './pool-error.ts';
