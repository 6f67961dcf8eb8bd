import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Gurmukhi text. In the published package, the font's bytes are part of this module. */
export const gurmukhi = {
  gurmukhi: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-gurmukhi/400Regular/NotoSansGurmukhi_400Regular.ttf')),
};
