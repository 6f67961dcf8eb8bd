import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Bengali text. In the published package, the font's bytes are part of this module. */
export const bengali = {
  bengali: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf')),
};
