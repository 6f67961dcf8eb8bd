import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Telugu text. In the published package, the font's bytes are part of this module. */
export const telugu = {
  telugu: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf')),
};
