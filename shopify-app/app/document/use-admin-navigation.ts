import { useNavigate } from '@remix-run/react';
import { useEffect } from 'react';

/** Follows the entries of the admin's sidebar by the router; without it, each would load the app anew. */
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
