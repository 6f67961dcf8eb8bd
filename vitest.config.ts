import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

// Packages import each other's TypeScript source through this export condition, so tests need no build step.
const conditions = ['@compliance/source', 'node'];

const ISOLATED = ['packages/**/src/**/*.isolated.test.ts', 'packages/cli/src/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Tests often wait for databases, browsers, and processes, so running more workers than cores is faster.
    maxWorkers: Math.min(4, 2 * availableParallelism()),
    // Tests start hundreds of processes. With this cache, they compile each file only once.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node-compile', import.meta.url)) },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A worker's test files share loaded modules, so that the worker loads each module only once.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/**/src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ISOLATED],
        },
      },
      // Mocked modules and the options of commands mustn't affect other test files.
      { extends: true, test: { name: 'isolated', include: ISOLATED, isolate: true } },
      { extends: true, test: { name: 'examples', include: ['examples/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'shopify-app',
          include: ['shopify-app/{src,app,test}/**/*.test.{ts,tsx}'],
          // The app's tests run against a production build. No other project waits for that build.
          globalSetup: 'shopify-app/test/build-once.ts',
        },
      },
    ],
  },
});
