import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

// Packages import each other's TypeScript source through this export condition, so tests need no build step.
const conditions = ['@compliance/source', 'node'];

const CORE = 'packages/core/src/**/*.test.ts';

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
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/**/src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, CORE],
          isolate: false,
        },
      },
      // The library has no state, so its tests can share the loaded modules.
      { extends: true, test: { name: 'core', include: [CORE], isolate: false } },
      { extends: true, test: { name: 'examples', include: ['examples/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'shopify-app',
          include: ['shopify-app/{src,app,test}/**/*.test.{ts,tsx}'],
          // The app is tested as a production build, and only its own tests wait for the build.
          globalSetup: 'shopify-app/test/build-once.ts',
        },
      },
    ],
  },
});
