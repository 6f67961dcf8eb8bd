import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Packages import each other's TypeScript source through this export condition, so tests need no build step.
const conditions = ['@compliance/source', 'node'];

const ISOLATED = 'packages/**/src/**/*.isolated.test.ts';

/** Tests that pack the packages, copy the repository, or run every documented command. `pnpm test:release` runs them. */
const RELEASE = 'packages/**/src/**/*.release.test.ts';

/** Small test files that run for a long time because they start browsers and processes. */
const SLOW = /\/(?:bulk-edit|faults|hostile|killed|screens)\.test\.ts$|-(?:decisions|journey)\.test\.ts$/;

/**
 * Sequencer that starts each project's slow files first and then its other files in Vitest's default order, largest
 * first, so that no worker is left running a slow file alone at the end.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * projects.indexOf(project) + (SLOW.test(moduleId) ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * Settings for projects that Node can run without Vite. Loading modules with Node's own loader takes 3% less CPU time.
 * Excludes projects with mocked modules, JSX, or `import.meta.glob`.
 */
const WITHOUT_VITE = { experimental: { viteModuleRunner: false, nodeLoader: false } };

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Tests often wait for databases, browsers, and processes, so running more workers than cores is faster.
    maxWorkers: Math.min(4, 2 * availableParallelism()),
    // Tests start hundreds of processes. With this cache, they compile each file only once.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node-compile', import.meta.url)) },
    // Tests allocate many short-lived objects. With a larger young generation, garbage collection takes 14% less CPU
    // time. The workers already use every core, so parallel garbage collection would only make them wait.
    execArgv: ['--conditions=@compliance/source', '--max-semi-space-size=64', '--single-threaded-gc'],
    // Concurrent tests share the cores with the other workers' tests.
    maxConcurrency: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A worker's test files share loaded modules, so the worker loads each module only once.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/**/src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ISOLATED, RELEASE],
          ...WITHOUT_VITE,
        },
      },
      // A mocked module mustn't affect other test files.
      { extends: true, test: { name: 'isolated', include: [ISOLATED], isolate: true } },
      { extends: true, test: { name: 'release', include: [RELEASE] } },
      { extends: true, test: { name: 'examples', include: ['examples/**/*.test.ts'], ...WITHOUT_VITE } },
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
