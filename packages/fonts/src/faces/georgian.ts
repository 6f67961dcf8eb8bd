import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Georgian text. In the published package, the font's bytes are part of this module. */
export const georgian = {
  georgian: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular.ttf')),
};
