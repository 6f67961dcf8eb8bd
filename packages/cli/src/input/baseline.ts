import { readFile } from 'node:fs/promises';
import type { Inventory } from '@compliance/core/pixel';
import { CliError } from '../cli-error.ts';

/** Reads an inventory from a file that contains either an inventory or the `--json` output of a scan. */
export async function readBaseline(file: string): Promise<Inventory> {
  try {
    const content = JSON.parse(await readFile(file, 'utf8'));
    const inventory = content?.inventory ?? content;
    if (inventory?.version === 1 && Array.isArray(inventory.tags) && Array.isArray(inventory.containers))
      return inventory;
  } catch (error) {
    throw new CliError(`Can't read ${file} as a baseline: ${(error as Error).message}`);
  }
  throw new CliError(`${file} isn't a baseline. To save a baseline, run: compliance scan URL --json > ${file}`);
}
