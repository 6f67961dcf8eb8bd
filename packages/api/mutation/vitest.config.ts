import { defineConfig } from 'vitest/config';

/** The tests that a mutant has to get past. */
export default defineConfig({ test: { include: ['src/certificates/links.test.ts'] } });
