import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Tamil text. In the published package, the font's bytes are part of this module. */
export const tamil = {
  tamil: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf')),
};
