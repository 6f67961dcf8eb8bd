import type { Merchant } from '../src/admin/merchant.ts';
import type { App } from '../src/context/app.ts';

declare module '@remix-run/node' {
  interface AppLoadContext {
    readonly app: App;
    /**
     * The authenticated merchant. Middleware in `src/http` requires authentication for `/app`. Accessing this property
     * on other paths throws an error.
     */
    readonly merchant: Merchant;
    /** Domain of the shop whose admin embeds the page, or null on public pages. */
    readonly shop: string | null;
  }
}
