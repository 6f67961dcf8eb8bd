import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Armenian text. In the published package, the font's bytes are part of this module. */
export const armenian = {
  armenian: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf')),
};
