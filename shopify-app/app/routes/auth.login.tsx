import { useTranslation } from 'react-i18next';

/**
 * Shows visitors who didn't come from the Shopify admin how to open the app. This page never asks for a shop domain.
 */
export default function Login() {
  const { t } = useTranslation();
  return (
    <main style={{ maxWidth: '40rem', margin: '4rem auto', padding: '0 1rem' }}>
      <h1>{t('app.login.title')}</h1>
      <p>{t('app.login.text')}</p>
      <p>
        <a href="https://admin.shopify.com">{t('app.login.open')}</a>
      </p>
    </main>
  );
}
