export { withCpuBudget } from './cpu-budget.ts';
export { createPool, type Pool, type PoolOptions, siblingModule } from './pool.ts';
export { PoolError, type PoolReason } from './pool-error.ts';
