import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Kannada text. In the published package, the font's bytes are part of this module. */
export const kannada = {
  kannada: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-kannada/400Regular/NotoSansKannada_400Regular.ttf')),
};
