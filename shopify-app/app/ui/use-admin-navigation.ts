import { useNavigate } from '@remix-run/react';
import { useEffect } from 'react';

/**
 * Handles clicks on Shopify admin sidebar links with the router. Without this hook, each click would reload the app.
 */
export function useAdminNavigation(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const href = target instanceof Element ? target.getAttribute('href') : null;
      if (href) navigate(href);
    };
    document.addEventListener('shopify:navigate', follow);
    return () => document.removeEventListener('shopify:navigate', follow);
  }, [navigate]);
}
