import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

// Literal import specifiers let tools detect which packages are used.
const files = {
  sans: () => require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  'sans-bold': () => require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
  sc: () => require.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
  jp: () => require.resolve('@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'),
  kr: () => require.resolve('@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf'),
  arabic: () => require.resolve('@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf'),
  hebrew: () => require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  thai: () => require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
} as const;

/**
 * Name of an available font. `sans` and `sans-bold` cover Latin, Vietnamese, Greek, and Cyrillic. `sc` covers
 * simplified and traditional Chinese. The other fonts are `jp`, `kr`, `arabic`, `hebrew`, and `thai`.
 */
export type Face = keyof typeof files;

/** Names of all available fonts. */
export const faces = Object.keys(files) as Face[];

/**
 * Loads a Noto font (TTF, SIL Open Font License 1.1) from disk. The result isn't cached.
 *
 * @throws Error if the package that contains the font isn't installed
 * @example (await loadFace('thai')).length // 47484
 */
export async function loadFace(face: Face): Promise<Uint8Array> {
  return readFile(files[face]());
}
