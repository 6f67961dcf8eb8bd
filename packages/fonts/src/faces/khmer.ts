import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The font for Khmer text. In the published package, the font's bytes are part of this module. */
export const khmer = {
  khmer: (): Promise<Uint8Array> =>
    readFile(require.resolve('@expo-google-fonts/noto-sans-khmer/400Regular/NotoSansKhmer_400Regular.ttf')),
};
