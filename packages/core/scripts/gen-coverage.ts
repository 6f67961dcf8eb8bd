// Writes the table of code points that each font supports. With the table, we can select fonts and find unsupported
// characters without opening a font.
import { writeFileSync } from 'node:fs';
import { coverageModule } from './coverage.ts';

writeFileSync(new URL('../src/entry/text/coverage.gen.ts', import.meta.url), await coverageModule());
