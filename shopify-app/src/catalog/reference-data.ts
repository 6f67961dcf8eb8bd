import type { FlagList, LabList } from '@compliance/core/entry';
import type { HtsText } from './hts-text.ts';

/** Official data that the operator supplies, because no package includes it. Each part is null if it isn't loaded. */
export interface ReferenceData {
  /** Official HTS text. */
  readonly hts: HtsText | null;
  /** HTS codes that CPSC flags for eFiling. */
  readonly flags: FlagList | null;
  /** CPSC-accepted laboratories, which are compared with the laboratories on Children's Product Certificates. */
  readonly labs: LabList | null;
}

/** Reference data for an app whose operator hasn't supplied any. */
export const NO_REFERENCE_DATA: ReferenceData = { hts: null, flags: null, labs: null };
