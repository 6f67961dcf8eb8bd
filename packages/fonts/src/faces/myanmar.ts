import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Myanmar text. In the published package, the font's bytes are part of this module. */
export const myanmar = {
  myanmar: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-myanmar/400Regular/NotoSansMyanmar_400Regular.ttf')),
};
