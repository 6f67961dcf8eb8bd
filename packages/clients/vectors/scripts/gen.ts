// Writes the types of the three clients from the description of the service.
import { writeFileSync } from 'node:fs';
import { modelFiles } from '../src/models/models.ts';

for (const { file, text } of modelFiles()) writeFileSync(file, text);
