import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads the font. In the published package, the font's bytes are part of this module. */
export const loadSansBold = (): Promise<Uint8Array> =>
  readFile(require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'));
