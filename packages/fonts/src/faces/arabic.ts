import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Arabic text. In the published package, the font's bytes are part of this module. */
export const arabic = {
  arabic: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf')),
};
