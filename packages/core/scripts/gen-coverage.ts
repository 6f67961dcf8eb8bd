// Writes the table of code points that each face draws, so that a face is chosen and a gap is found without opening a font.
import { writeFileSync } from 'node:fs';
import { coverageModule } from './coverage.ts';

writeFileSync(new URL('../src/entry/text/coverage.gen.ts', import.meta.url), await coverageModule());
