import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const files = {
  sans: 'noto-sans/400Regular/NotoSans_400Regular.ttf',
  'sans-bold': 'noto-sans/700Bold/NotoSans_700Bold.ttf',
  sc: 'noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  jp: 'noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
  kr: 'noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf',
  arabic: 'noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf',
  hebrew: 'noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf',
  thai: 'noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf',
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
  return readFile(require.resolve(`@expo-google-fonts/${files[face]}`));
}
