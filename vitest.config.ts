import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// The packages import each other's TypeScript through this export condition, so nothing is built before a test.
const conditions = ['@compliance/source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/**/src/**/*.test.ts', 'examples/**/*.test.ts'],
    maxWorkers: Math.min(4, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
