import { Link, Outlet } from '@remix-run/react';
import { NavMenu } from '@shopify/app-bridge-react';
import { useTranslation } from 'react-i18next';
import { ConnectionBanner } from '../ui/connection/connection-banner.tsx';
import { SaveBarProvider } from '../ui/save-bar.tsx';
import { useAdminNavigation, useLoadingBar } from '../ui/use-admin-navigation.ts';

export { ErrorBoundary } from '../document/error-boundary.tsx';

/** Renders the layout that all screens share and adds the app's links to the Shopify admin sidebar. */
export default function App() {
  const { t } = useTranslation();
  useAdminNavigation();
  useLoadingBar();
  return (
    <main style={{ paddingBlockEnd: 'var(--p-space-400)' }}>
      <NavMenu>
        <Link to="/app" rel="home">
          {t('app.name')}
        </Link>
        <Link to="/app/findings">{t('app.nav.findings')}</Link>
        <Link to="/app/history">{t('app.nav.history')}</Link>
        <Link to="/app/catalog">{t('app.nav.catalog')}</Link>
        <Link to="/app/certificates">{t('app.nav.certificates')}</Link>
        <Link to="/app/settings">{t('app.nav.settings')}</Link>
      </NavMenu>
      <ConnectionBanner />
      <SaveBarProvider>
        <Outlet />
      </SaveBarProvider>
    </main>
  );
}
