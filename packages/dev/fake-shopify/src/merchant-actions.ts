import type { FakeShopify } from './fake-shopify.ts';
import type { FakeShop } from './shop/shop.ts';

/**
 * Returns actions that a merchant can perform. If the app's URL is given, each action also sends the webhook that
 * Shopify would send. For some actions, such as editing a theme file, Shopify doesn't send a webhook.
 *
 * @example
 * const merchant = merchantActions(fakeShopify, 'sample-shop.myshopify.com', app.url);
 * await merchant.publishTheme('102');
 */
export function merchantActions(fakeShopify: FakeShopify, domain: string, appUrl?: string) {
  const shop = fakeShopify.shops.get(domain);
  if (!shop) throw new TypeError(`The fake Shopify doesn’t have a shop with the domain ${domain}.`);
  const send = async (topic: string, payload: object) =>
    appUrl === undefined ? null : await fakeShopify.webhook(appUrl, topic, domain, payload);
  const themeBy = (id: string): FakeShop['themes'][number] => {
    const theme = shop.themes.find(one => one.id.endsWith(id));
    if (!theme) throw new TypeError(`The shop ${domain} doesn’t have a theme with the ID ${id}.`);
    return theme;
  };

  return {
    /** Uninstalls the app, which revokes its tokens. */
    async uninstall() {
      fakeShopify.tokens.revoke(domain);
      shop.scopes.clear();
      return await send('app/uninstalled', { id: shop.number, name: shop.name, myshopify_domain: domain });
    },
    /**
     * Reinstalls the app. Shopify doesn't send a webhook for a reinstallation. The app detects the reinstallation when
     * the merchant opens the app.
     */
    reinstall(scopes: readonly string[] = ['read_products', 'read_themes']) {
      shop.scopes.clear();
      for (const scope of scopes) shop.scopes.add(scope);
    },
    /** Grants additional scopes. */
    async grant(...scopes: string[]) {
      const previous = [...shop.scopes];
      for (const scope of scopes) shop.scopes.add(scope);
      return await send('app/scopes_update', { previous, current: [...shop.scopes] });
    },
    /** Revokes a scope. */
    async revokeScope(scope: string) {
      const previous = [...shop.scopes];
      shop.scopes.delete(scope);
      return await send('app/scopes_update', { previous, current: [...shop.scopes] });
    },
    /** Chooses a plan on the app's pricing page, or cancels the plan. Shopify allows one active plan per app. */
    async choosePlan(name: string | null) {
      for (const one of shop.subscriptions) one.status = 'CANCELLED';
      const id = `gid://shopify/AppSubscription/${shop.number + shop.subscriptions.length}`;
      if (name !== null) shop.subscriptions.push({ id, name, test: true, trialDays: 0, status: 'ACTIVE' });
      return await send('app_subscriptions/update', {
        app_subscription: {
          admin_graphql_api_id: id,
          name: name ?? '',
          status: name === null ? 'CANCELLED' : 'ACTIVE',
        },
      });
    },
    /** Edits a file in a theme, by default the published theme. Doesn't send a webhook. */
    editThemeFile(name: string, change: string | ((text: string) => string), theme?: string) {
      const { files } = theme === undefined ? shop.themes.find(({ role }) => role === 'MAIN')! : themeBy(theme);
      files.set(name, typeof change === 'string' ? change : change(files.get(name) ?? ''));
    },
    /** Publishes another theme. */
    async publishTheme(id: string) {
      const theme = themeBy(id);
      for (const one of shop.themes) one.role = one === theme ? 'MAIN' : 'UNPUBLISHED';
      return await send('themes/publish', { id: Number(theme.id.split('/').at(-1)), name: theme.name, role: 'main' });
    },
    /** Changes a product. */
    async editProduct(id: string, change: (product: FakeShop['products'][number]) => void) {
      const product = shop.products.find(one => one.id.endsWith(id));
      if (!product) throw new TypeError(`The shop ${domain} doesn’t have a product with the ID ${id}.`);
      change(product);
      const number = Number(product.id.split('/').at(-1));
      const payload = { id: number, admin_graphql_api_id: product.id, updated_at: new Date().toISOString() };
      return await send('products/update', payload);
    },
    /** Deletes a product. */
    async deleteProduct(id: string) {
      shop.products = shop.products.filter(one => !one.id.endsWith(id));
      return await send('products/delete', { id: Number(id.split('/').at(-1)) });
    },
  };
}
