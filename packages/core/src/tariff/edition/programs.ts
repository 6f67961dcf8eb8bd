/**
 * The Section 232 programs, each with the name that messages use.
 *
 * @example PROGRAMS.auto_parts // 'auto parts'
 */
export const PROGRAMS = {
  steel: 'steel',
  aluminum: 'aluminum',
  copper: 'copper',
  autos: 'autos',
  auto_parts: 'auto parts',
  trucks: 'trucks',
  buses: 'buses',
  truck_parts: 'truck parts',
  timber: 'timber and lumber',
  upholstered_furniture: 'upholstered furniture',
  kitchen_cabinets: 'kitchen cabinets',
  semiconductors: 'semiconductors',
  pharmaceuticals: 'pharmaceuticals',
  uas: 'unmanned aircraft',
  polysilicon: 'polysilicon',
} as const;

/** A Section 232 program. */
export type Program = keyof typeof PROGRAMS;

/** The programs that a look-up asks when it is told nothing else. */
export const METALS: readonly Program[] = ['steel', 'aluminum', 'copper'];

/** Every program. */
export const ALL_PROGRAMS = Object.keys(PROGRAMS) as readonly Program[];

const METALS_AND_WOOD: readonly Program[] = [
  'steel',
  'aluminum',
  'timber',
  'upholstered_furniture',
  'kitchen_cabinets',
];

/**
 * The programs whose duty is not owed where a program's own is: U.S. notes 33, 38 and 39. For unmanned aircraft the order
 * to the metals is not established.
 */
const EXCLUDES: Partial<Record<Program, readonly Program[]>> = {
  semiconductors: ALL_PROGRAMS.filter(program => program !== 'semiconductors'),
  autos: [...METALS_AND_WOOD, 'copper'],
  auto_parts: [...METALS_AND_WOOD, 'copper'],
  trucks: METALS_AND_WOOD,
  buses: METALS_AND_WOOD,
  truck_parts: METALS_AND_WOOD,
};

/** Whether the duty of one program excludes that of another for the same article. */
export function excludes(program: Program, other: Program): boolean {
  return EXCLUDES[program]?.includes(other) ?? false;
}
