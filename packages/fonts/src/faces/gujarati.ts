import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Gujarati text. In the published package, the font's bytes are part of this module. */
export const gujarati = {
  gujarati: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-gujarati/400Regular/NotoSansGujarati_400Regular.ttf')),
};
