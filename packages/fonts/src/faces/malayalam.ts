import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Malayalam text. In the published package, the font's bytes are part of this module. */
export const malayalam = {
  malayalam: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular.ttf')),
};
