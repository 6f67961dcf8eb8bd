import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the fake App Bridge script. */
export const appBridge = (): string => readFileSync(join(import.meta.dirname, 'app-bridge.js'), 'utf8');
