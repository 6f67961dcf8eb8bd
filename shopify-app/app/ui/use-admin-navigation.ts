import { useNavigate, useNavigation } from '@remix-run/react';
import { useEffect } from 'react';
import { useBrowserLayoutEffect } from './use-browser-layout-effect.ts';

/** History state of a page that the merchant opened from the Shopify admin sidebar. */
const FROM_ADMIN = { fromAdmin: true };

/** Returns whether the merchant opened a page from the Shopify admin sidebar. */
export const isFromAdmin = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'fromAdmin' in state;

/**
 * Uses the app's router to handle clicks on Shopify admin sidebar links. Without this hook, each click would reload the
 * app.
 */
export function useAdminNavigation(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const href = target instanceof Element ? target.getAttribute('href') : null;
      if (href) navigate(href, { state: FROM_ADMIN });
    };
    document.addEventListener('shopify:navigate', follow);
    return () => document.removeEventListener('shopify:navigate', follow);
  }, [navigate]);
}

/** Shows the Shopify admin's loading bar while a page loads. */
export function useLoadingBar(): void {
  const isLoading = useNavigation().state !== 'idle';
  // A passive effect would run after the next paint, so the loading bar would appear late on a slow device.
  useBrowserLayoutEffect(() => {
    if (!isLoading) return;
    shopify.loading(true);
    return () => shopify.loading(false);
  }, [isLoading]);
}
