import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Hebrew text. In the published package, the font's bytes are part of this module. */
export const hebrew = {
  hebrew: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf')),
};
