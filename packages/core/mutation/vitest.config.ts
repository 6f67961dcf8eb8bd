import { defineConfig } from 'vitest/config';

const conditions = ['@compliance/source', 'node'];

/**
 * The tests that a mutant has to get past. Those of single lists are left out: they hold data to the official text, and
 * would be run for every line that looks something up.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    isolate: false,
    testTimeout: 60_000,
    include: ['src/tariff/**/*.test.ts', 'src/pixel/score/*.test.ts', 'src/pixel/scan.test.ts'],
    exclude: ['src/tariff/**/lists/**', 'src/tariff/**/removals/**'],
  },
});
