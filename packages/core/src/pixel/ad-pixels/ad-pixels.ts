import type { AdPixel } from './ad-pixel.ts';
import { klaviyo } from './klaviyo.ts';
import { linkedin } from './linkedin.ts';
import { microsoft } from './microsoft.ts';
import { pinterest } from './pinterest.ts';
import { reddit } from './reddit.ts';
import { snapchat } from './snapchat.ts';
import { tiktok } from './tiktok.ts';
import { x } from './x.ts';

const ALL = [tiktok, pinterest, klaviyo, snapchat, microsoft, x, reddit, linkedin] as const;

/** Vendors whose pixels are in {@link AD_PIXELS}. */
export type AdVendor = (typeof ALL)[number]['vendor'];

/** Pixels of advertising vendors other than Meta and Google. */
export const AD_PIXELS: readonly AdPixel<AdVendor>[] = ALL;

/** Functions, objects, and queues that the pixels' base codes define. */
export const AD_GLOBALS: readonly string[] = AD_PIXELS.flatMap(pixel => pixel.globals);

/** Company name of each vendor. */
export const AD_COMPANIES = Object.fromEntries(AD_PIXELS.map(({ vendor, company }) => [vendor, company])) as Readonly<
  Record<AdVendor, string>
>;
