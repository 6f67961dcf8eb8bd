import { defineConfig } from 'vitest/config';

/** Vitest configuration for mutation testing. Includes only the tests that are expected to kill every mutant. */
export default defineConfig({ test: { include: ['src/certificates/links.test.ts'] } });
