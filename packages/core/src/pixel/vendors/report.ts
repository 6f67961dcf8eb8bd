import type { Channel, Seen, Sighting } from '../evidence/sighting.ts';
import type { Confidence, State } from '../script/effect.ts';

/** A sighting before its circumstances are added. */
export type Bare = Sighting extends infer S ? (S extends Sighting ? Omit<S, keyof Seen> : never) : never;

/** Takes a sighting in. The circumstances are those of the effect or element at hand, unless they are given. */
export type Add = (
  sighting: Bare,
  but?: { readonly state?: State; readonly confidence?: Confidence; readonly channel?: Channel },
) => void;
