import type { App } from '../src/app.ts';
import type { Merchant } from '../src/merchant.ts';

declare module '@remix-run/node' {
  interface AppLoadContext {
    readonly app: App;
    /** Who asks. The gate in `src/http` lets nothing through to `/app` without it; elsewhere, reading it throws. */
    readonly merchant: Merchant;
    /** The domain of the shop whose admin shows the page, or null on pages that are open to all. */
    readonly shop: string | null;
  }
}
