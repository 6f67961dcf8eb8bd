import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// The packages import each other's TypeScript through this export condition, so nothing is built before a test.
const conditions = ['@compliance/source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    maxWorkers: Math.min(4, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'packages', include: ['packages/**/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'examples', include: ['examples/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'shopify-app',
          include: ['shopify-app/{src,app,stand-in,test}/**/*.test.{ts,tsx}'],
          // What merchants get is tested as it is built. Nobody else pays for that.
          globalSetup: 'shopify-app/test/build-once.ts',
        },
      },
    ],
  },
});
