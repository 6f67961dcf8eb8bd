import type { EfilingMessage } from '../efiling-messages/efiling-messages.ts';

/** A reason why no data was written for a target. `path` is a certificate field, `codes`, or a field of `disclaim`. */
export interface EfilingGap {
  readonly path: string;
  readonly message: string;
}

/**
 * The data for a target. `content` is null if there are gaps. `notes` lists everything that couldn't be confirmed and
 * all certificate data that `content` omits.
 */
export interface EfilingContent {
  readonly content: string | null;
  readonly gaps: readonly EfilingGap[];
  readonly notes: readonly string[];
}

/** A gap with a message ID and parameters instead of the message's text. */
export interface GapMessage extends EfilingMessage {
  readonly path: string;
}

/** The data for a target, with message IDs and parameters instead of the messages' text. */
export interface MessageContent extends Pick<EfilingContent, 'content'> {
  readonly gaps: readonly GapMessage[];
  readonly notes: readonly EfilingMessage[];
}
