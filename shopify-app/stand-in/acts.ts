import type { StandInShop } from './shop/shop.ts';
import type { StandIn } from './stand-in.ts';

/**
 * What merchants do, with the webhook that Shopify sends of it when it is known where the app is. Some send none: files of a
 * theme may change without a word.
 *
 * @example
 * const merchant = merchantOf(standIn, 'sample-shop.myshopify.com', app.url);
 * await merchant.publishTheme(102);
 */
export function merchantOf(standIn: StandIn, domain: string, appUrl?: string) {
  const shop = standIn.shops.get(domain);
  if (!shop) throw new TypeError(`The stand-in has no shop ${domain}.`);
  const send = async (topic: string, payload: object) =>
    appUrl === undefined ? null : await standIn.webhook(appUrl, topic, domain, payload);
  const themeBy = (id: string): StandInShop['themes'][number] => {
    const theme = shop.themes.find(one => one.id.endsWith(id));
    if (!theme) throw new TypeError(`${domain} has no theme ${id}.`);
    return theme;
  };

  return {
    /** Takes the app away: its tokens are worth nothing from now on. */
    async uninstall() {
      standIn.tokens.revoke(domain);
      shop.scopes.clear();
      return await send('app/uninstalled', { id: shop.number, name: shop.name, myshopify_domain: domain });
    },
    /** Takes the app back. Shopify says nothing of it: the app learns it when it is opened. */
    reinstall(scopes: readonly string[] = ['read_products', 'read_themes']) {
      shop.scopes.clear();
      for (const scope of scopes) shop.scopes.add(scope);
    },
    /** Grants scopes on top of those that are granted. */
    async grant(...scopes: string[]) {
      const previous = [...shop.scopes];
      for (const scope of scopes) shop.scopes.add(scope);
      return await send('app/scopes_update', { previous, current: [...shop.scopes] });
    },
    /** Takes a scope back. */
    async revokeScope(scope: string) {
      const previous = [...shop.scopes];
      shop.scopes.delete(scope);
      return await send('app/scopes_update', { previous, current: [...shop.scopes] });
    },
    /** Changes a file of the published theme, or of another. No webhook tells of it. */
    editThemeFile(name: string, change: string | ((text: string) => string), theme?: string) {
      const { files } = theme === undefined ? shop.themes.find(({ role }) => role === 'MAIN')! : themeBy(theme);
      files.set(name, typeof change === 'string' ? change : change(files.get(name) ?? ''));
    },
    /** Publishes a theme in place of the one that is. */
    async publishTheme(id: string) {
      const theme = themeBy(id);
      for (const one of shop.themes) one.role = one === theme ? 'MAIN' : 'UNPUBLISHED';
      return await send('themes/publish', { id: Number(theme.id.split('/').at(-1)), name: theme.name, role: 'main' });
    },
    /** Changes a product. */
    async editProduct(id: string, change: (product: StandInShop['products'][number]) => void) {
      const product = shop.products.find(one => one.id.endsWith(id));
      if (!product) throw new TypeError(`${domain} has no product ${id}.`);
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
