import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads the font. In the published package, the font's bytes are part of this module. */
export const loadSc = (): Promise<Uint8Array> =>
  readFile(require.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'));
