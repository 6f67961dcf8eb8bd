import { readFile } from 'node:fs/promises';
import { type Inventory, SITE_PAGE_TYPES, type SiteInventory } from '@compliance/core/pixel';
import { CliError, fileError } from '../cli-error.ts';

/** Reads an inventory from a file that contains either an inventory or the `--json` output of a scan. */
export async function readBaseline(file: string): Promise<Inventory> {
  const content = await readContent(file);
  const inventory = Array.isArray(content) ? null : (content?.inventory ?? content);
  if (isInventory(inventory)) return inventory;
  throw new CliError(`${file} isn't a baseline. To save a baseline, run: compliance scan URL --json > ${file}`);
}

/**
 * Reads the inventories of a site's pages from a file that contains either the `--json` output of a site scan or only
 * the `inventories` array from that output.
 */
export async function readSiteBaseline(file: string): Promise<SiteInventory[]> {
  const content = await readContent(file);
  const pages = Array.isArray(content) ? content : content?.inventories;
  const types: readonly string[] = SITE_PAGE_TYPES;
  if (Array.isArray(pages) && pages.every(page => types.includes(page?.page_type) && isInventory(page.inventory)))
    return pages;
  throw new CliError(
    `${file} isn't a site baseline. To save a baseline, run: compliance scan --site URL --json > ${file}`,
  );
}

type Content = { inventory?: unknown; inventories?: unknown } | unknown[] | null;

async function readContent(file: string): Promise<Content> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw fileError(`Can't read ${file} as a baseline`, error);
  }
}

function isInventory(value: unknown): value is Inventory {
  const inventory = value as Partial<Inventory> | null | undefined;
  return inventory?.version === 1 && Array.isArray(inventory.tags) && Array.isArray(inventory.containers);
}
