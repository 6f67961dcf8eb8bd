import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

// Whole specifiers, so that tools that look for used packages find them.
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
 * The faces there are, by what they are for: `sans` and `sans-bold` for Latin, Vietnamese, Greek and Cyrillic, `sc` for
 * Chinese (both forms), `jp`, `kr`, `arabic`, `hebrew`, `thai`.
 */
export type Face = keyof typeof files;

/** Every {@link Face}. */
export const faces = Object.keys(files) as Face[];

/**
 * Reads one Noto face (a TTF, SIL Open Font License 1.1) from disk. Nothing is kept: whoever parses it keeps the result.
 *
 * @throws when the package that carries the face is not installed.
 * @example (await loadFace('thai')).length // 47484
 */
export async function loadFace(face: Face): Promise<Uint8Array> {
  return readFile(files[face]());
}
