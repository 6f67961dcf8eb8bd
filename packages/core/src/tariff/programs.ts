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
