import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Thai text. In the published package, the font's bytes are part of this module. */
export const thai = {
  thai: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf')),
};
