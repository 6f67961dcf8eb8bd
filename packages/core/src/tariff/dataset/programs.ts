/**
 * Section 232 programs with their display names for messages.
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

/** ID of a Section 232 program. */
export type Program = keyof typeof PROGRAMS;

/** The metals programs, selected by `programs: 'metals'`. */
export const METALS: readonly Program[] = ['steel', 'aluminum', 'copper'];

/** IDs of all Section 232 programs. */
export const ALL_PROGRAMS = Object.keys(PROGRAMS) as readonly Program[];
