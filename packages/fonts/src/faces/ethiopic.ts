import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Ethiopic text. In the published package, the font's bytes are part of this module. */
export const ethiopic = {
  ethiopic: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-ethiopic/400Regular/NotoSansEthiopic_400Regular.ttf')),
};
