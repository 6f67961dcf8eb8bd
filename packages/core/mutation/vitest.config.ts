import { defineConfig } from 'vitest/config';

const conditions = ['@compliance/source', 'node'];

/** The tests that a mutant has to get past: those of the folders that are mutated, and of the scan that uses the score. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    isolate: false,
    include: ['src/tariff/**/*.test.ts', 'src/pixel/score/*.test.ts', 'src/pixel/scan.test.ts'],
  },
});
