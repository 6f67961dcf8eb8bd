import type { Vendor, Where } from './observation.ts';

/** An ID or an event that a tag in a Tag Manager container sends, to the extent that the scan can read the tag. */
export interface ContainerEvent {
  /** ID of the container, such as `GTM-ABC1234`, or `null` if it's unknown. */
  readonly container: string | null;
  readonly vendor: Vendor;
  /** ID of the pixel, property, or account, or `null` if the tag uses every ID that the page initializes. */
  readonly id: string | null;
  /** Name of the event, or `null` if the tag only initializes the ID. */
  readonly event: string | null;
  /** The tag, and the line in its code if it's a custom HTML tag. */
  readonly where: Where;
}
