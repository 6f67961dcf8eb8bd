import { type FakeShop, gid } from '../../shop/shop.ts';
import { connection, type Paging } from '../connection.ts';
import { FIXED_DATE, type ResolverContext } from './resolver-context.ts';

/** Resolves the shop and the app installation. */
export function shopFields({ shop }: ResolverContext) {
  const address = { id: gid('ShopAddress', shop.number), countryCodeV2: 'US' };
  return {
    shop: {
      id: gid('Shop', shop.number),
      name: shop.name,
      myshopifyDomain: shop.domain,
      url: `https://${shop.host}`,
      email: 'owner@example.com',
      ianaTimezone: shop.zone,
      currencyCode: 'USD',
      billingAddress: address,
      shopAddress: address,
      primaryDomain: { id: gid('Domain', shop.number), host: shop.host, url: `https://${shop.host}`, sslEnabled: true },
      plan: { publicDisplayName: 'Basic', partnerDevelopment: false, shopifyPlus: false },
    },
    currentAppInstallation: {
      id: gid('AppInstallation', shop.number),
      accessScopes: () => [...shop.scopes].map(handle => ({ handle })),
      activeSubscriptions: () => shop.subscriptions.filter(({ status }) => status === 'ACTIVE').map(subscription),
    },
    shopLocales: ({ published }: { published?: boolean }) =>
      shop.locales.filter(locale => !published || locale.published),
    scriptTags: (paging: Paging) =>
      connection(
        shop.scriptTags.map(tag => ({ ...tag, displayScope: 'ONLINE_STORE', cache: false, createdAt: FIXED_DATE })),
        paging,
      ),
    // An app sees only its own web pixel, and this app doesn't have a web pixel.
    webPixel: null,
  };
}

const subscription = (one: FakeShop['subscriptions'][number]) => ({
  ...one,
  createdAt: FIXED_DATE,
  currentPeriodEnd: null,
  lineItems: [],
});

/** Resolves app subscriptions, which merchants approve in the admin. */
export function billingFields({ shop }: ResolverContext) {
  return {
    appSubscriptionCreate: (input: { name: string; test?: boolean; trialDays?: number }) => {
      const id = gid('AppSubscription', shop.number + shop.subscriptions.length);
      const { name, test = false, trialDays = 0 } = input;
      const made = { id, name, test, trialDays, status: 'PENDING' };
      shop.subscriptions.push(made);
      const store = shop.domain.replace('.myshopify.com', '');
      const confirmationUrl = `https://admin.shopify.com/store/${store}/charges/confirm?id=${encodeURIComponent(id)}`;
      return { appSubscription: subscription(made), confirmationUrl, userErrors: [] };
    },
    appSubscriptionCancel: ({ id }: { id: string }) => {
      const found = shop.subscriptions.find(one => one.id === id);
      if (!found) return { appSubscription: null, userErrors: [{ field: ['id'], message: 'Subscription not found' }] };
      found.status = 'CANCELLED';
      return { appSubscription: subscription(found), userErrors: [] };
    },
  };
}
