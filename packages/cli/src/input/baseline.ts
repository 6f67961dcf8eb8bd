import { readFile } from 'node:fs/promises';
import type { Inventory } from '@compliance/core/pixel';
import { Failure } from '../failure.ts';

/** Reads an inventory: one by itself, or that of a whole scan printed with `--json`. */
export async function readBaseline(file: string): Promise<Inventory> {
  try {
    const content = JSON.parse(await readFile(file, 'utf8'));
    const inventory = content?.inventory ?? content;
    if (inventory?.version === 1 && Array.isArray(inventory.tags) && Array.isArray(inventory.containers))
      return inventory;
  } catch (error) {
    throw new Failure(`${file} cannot be read as a baseline: ${(error as Error).message}`);
  }
  throw new Failure(`${file} is no baseline. Save one with: compliance scan URL --json > ${file}`);
}
