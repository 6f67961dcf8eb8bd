import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The script that stands for Shopify's App Bridge. */
export const appBridge = (): string => readFileSync(join(import.meta.dirname, 'app-bridge.js'), 'utf8');
