import { defineConfig } from 'vitest/config';

const conditions = ['@compliance/source', 'node'];

/**
 * Tests that run against each mutant. Tests for individual tariff lists are excluded because they check data rather
 * than code, but would run for every mutant in the lookup code.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    isolate: false,
    testTimeout: 60_000,
    include: ['src/tariff/**/*.test.ts', 'src/pixel/score/*.test.ts', 'src/pixel/scan/scan.test.ts'],
    exclude: ['src/tariff/**/lists/**', 'src/tariff/**/removals/**'],
  },
});
