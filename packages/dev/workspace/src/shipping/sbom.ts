import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pnpm, REPOSITORY_ROOT } from './pnpm.ts';

/** Software bill of materials (CycloneDX 1.6) that lists all of a package's dependencies. */
export interface Sbom {
  metadata: { component: { name: string; group?: string } };
  components?: {
    name: string;
    group?: string;
    version: string;
    licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  }[];
}

/**
 * Returns each released package's bill of materials, indexed by filename, as `pnpm run sbom` writes it. Reads only
 * installed files.
 */
export function sboms(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-sbom-'));
  try {
    const { scripts } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'package.json'), 'utf8')) as {
      scripts: { sbom: string };
    };
    const words = [...scripts.sbom.replace('dist/sbom', folder).matchAll(/'([^']*)'|(\S+)/g)];
    const [, ...args] = words.map(([, quoted, bare]) => quoted ?? bare!);
    pnpm(args, REPOSITORY_ROOT);
    return Object.fromEntries(readdirSync(folder).map(file => [file, readFileSync(join(folder, file), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
