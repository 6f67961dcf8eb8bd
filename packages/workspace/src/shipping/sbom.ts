import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pnpm, ROOT } from './pnpm.ts';

/** A bill of materials: what a package brings along when it is installed, in the words of CycloneDX 1.6. */
export interface Sbom {
  metadata: { component: { name: string; group?: string } };
  components?: {
    name: string;
    group?: string;
    version: string;
    licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  }[];
}

/** The bill of each thing that ships, by its file name, as `pnpm run sbom` writes them. Reads what is installed; asks nobody. */
export function sboms(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-sbom-'));
  try {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { sbom: string } };
    const words = [...scripts.sbom.replace('dist/sbom', folder).matchAll(/'([^']*)'|(\S+)/g)];
    const [, ...args] = words.map(([, quoted, bare]) => quoted ?? bare!);
    pnpm(args, ROOT);
    return Object.fromEntries(readdirSync(folder).map(file => [file, readFileSync(join(folder, file), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
