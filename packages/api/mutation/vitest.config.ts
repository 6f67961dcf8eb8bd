import { defineConfig } from 'vitest/config';

/** Test configuration for mutation testing. The tests must catch every mutant. */
export default defineConfig({ test: { include: ['src/certificates/links.test.ts'] } });
