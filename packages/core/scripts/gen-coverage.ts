// Writes the table of code points that each font supports. The table makes it possible to select fonts and find
// unsupported characters without opening font files.
import { writeFileSync } from 'node:fs';
import { coverageModule } from './coverage.ts';

writeFileSync(new URL('../src/entry/text/coverage.gen.ts', import.meta.url), await coverageModule());
