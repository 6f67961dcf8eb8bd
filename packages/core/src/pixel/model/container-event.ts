import type { Vendor, Where } from './observation.ts';

/** An ID or event that a tag in a Tag Manager container sends. Values that the scan can't determine are `null`. */
export interface ContainerEvent {
  /** Container ID, such as `GTM-ABC1234`, or `null` if it's unknown. */
  readonly container: string | null;
  readonly vendor: Vendor;
  /** Pixel, property, or account ID. `null` if it's unknown or if the tag uses every ID that the page initializes. */
  readonly id: string | null;
  /** Event name. `null` if it's unknown or if the tag only initializes the ID. */
  readonly event: string | null;
  /** The tag that sends the event and, for a custom HTML tag, the line in the tag's code. */
  readonly where: Where;
}
