import { z } from 'zod';
import type { Topic } from './topic.ts';

const profile = z.object({
  name: z.string(),
  iana_timezone: z.string(),
  domain: z.string(),
  primary_locale: z.string(),
});

/** The shop's name, zone, language or primary domain changed. Of what else Shopify would tell, nothing is asked for. */
export const shopUpdate: Topic = {
  topic: 'shop/update',
  async run(shop, { payload }) {
    const { name, iana_timezone, domain, primary_locale } = profile.parse(payload);
    await shop.setProfile({ name, timeZone: iana_timezone, primaryHost: domain, locale: primary_locale });
    return undefined;
  },
};
