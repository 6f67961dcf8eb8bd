import { PROGRAM_NAMES } from './programs.gen.ts';

/** ID of a Section 232 program in the bundled data set. */
export type BundledProgram = keyof typeof PROGRAM_NAMES;

/** ID of a Section 232 program. A newer data set can contain programs that aren't in the bundled data set. */
export type Program = BundledProgram | (string & {});

/**
 * Display name of each Section 232 program in the bundled data set, by ID.
 *
 * @example PROGRAMS.auto_parts // 'auto parts'
 */
export const PROGRAMS: Readonly<Record<BundledProgram, string>> & Readonly<Record<string, string>> = PROGRAM_NAMES;

/** The metals programs, selected by `programs: 'metals'`. */
export const METALS: readonly Program[] = ['steel', 'aluminum', 'copper'];

/** IDs of all Section 232 programs in the bundled data set. */
export const ALL_PROGRAMS = Object.keys(PROGRAMS) as readonly Program[];
