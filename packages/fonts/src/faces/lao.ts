import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Lao text. In the published package, the font's bytes are part of this module. */
export const lao = {
  lao: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-lao/400Regular/NotoSansLao_400Regular.ttf')),
};
