// Generates the types and methods of the three clients from the OpenAPI document.
import { writeFileSync } from 'node:fs';
import { generatedFiles } from '../src/codegen/files.ts';

for (const { file, text } of generatedFiles()) writeFileSync(file, text);
