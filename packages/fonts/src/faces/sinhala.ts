import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Sinhala text. In the published package, the font's bytes are part of this module. */
export const sinhala = {
  sinhala: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-sinhala/400Regular/NotoSansSinhala_400Regular.ttf')),
};
