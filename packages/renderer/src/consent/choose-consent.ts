import type { ConsentDecision } from '@compliance/core/pixel';
import type { Tab } from '../browser/tab.ts';
import { clickConsentBanner } from './consent-banner.ts';

/** How a visitor's choice was submitted, and the name of the consent banner if one was used. */
export interface ConsentChoice {
  readonly decision: ConsentDecision;
  readonly banner: string | null;
}

/**
 * Declines or accepts tracking on behalf of a visitor: in the page's consent banner or, if the page doesn't show a
 * known banner, through Shopify's Customer Privacy API. The decision is `none` if the page has neither or if the API
 * call fails.
 *
 * @example await chooseConsent(tab, 'deny') // { decision: 'shopify', banner: null }
 */
export async function chooseConsent(tab: Tab, choice: 'deny' | 'accept'): Promise<ConsentChoice> {
  // A banner also directly updates the tags that it controls, so clicking the banner simulates a visitor's choice more
  // accurately than only calling the API.
  const banner = await clickConsentBanner(tab, choice);
  if (banner) return { decision: 'banner', banner: banner.name };
  return { decision: await callPrivacyApi(tab, choice), banner: null };
}

async function callPrivacyApi(tab: Tab, choice: 'deny' | 'accept'): Promise<ConsentDecision> {
  const allowed = choice === 'accept';
  const consent = JSON.stringify({
    analytics: allowed,
    marketing: allowed,
    preferences: allowed,
    sale_of_data: allowed,
  });
  const result = await tab
    .evaluate(
      `(async () => {
        const shopify = window.Shopify;
        if (!shopify) return 'none';
        if (!shopify.customerPrivacy && shopify.loadFeatures)
          await new Promise(done => shopify.loadFeatures([{ name: 'consent-tracking-api', version: '0.1' }], done));
        if (!shopify.customerPrivacy) return 'none';
        await new Promise(done => shopify.customerPrivacy.setTrackingConsent(${consent}, done));
        return 'shopify';
      })()`,
    )
    .catch(() => 'none');
  return result === 'shopify' ? 'shopify' : 'none';
}

/**
 * Script that emulates, on saved pages, the part of Shopify's Customer Privacy API that other scripts use to wait for
 * consent. On live pages, Shopify loads the real API.
 */
export const PRIVACY_API = `(() => {
  const KEY = 'compliance-consent';
  const choice = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const allowed = () => choice() === 'yes';
  const api = {
    setTrackingConsent(consent, done) {
      const yes = consent.marketing === true;
      try { localStorage.setItem(KEY, yes ? 'yes' : 'no'); } catch {}
      const detail = { marketingAllowed: yes, analyticsAllowed: yes, preferencesAllowed: yes, saleOfDataAllowed: yes };
      document.dispatchEvent(new CustomEvent('visitorConsentCollected', { detail }));
      if (done) done();
    },
    currentVisitorConsent: () => {
      const value = { yes: 'yes', no: 'no' }[choice()] || '';
      return { marketing: value, analytics: value, preferences: value, sale_of_data: value };
    },
    shouldShowBanner: () => choice() === null,
    userCanBeTracked: allowed,
    marketingAllowed: allowed,
    analyticsProcessingAllowed: allowed,
    preferencesProcessingAllowed: allowed,
    saleOfDataAllowed: allowed,
  };
  if (window !== top) return;
  let shopify;
  const complete = value => {
    if (value && typeof value === 'object' && !value.customerPrivacy) value.customerPrivacy = api;
    return value;
  };
  Object.defineProperty(window, 'Shopify', {
    configurable: true,
    get: () => complete(shopify),
    set: value => { shopify = complete(value); },
  });
})();`;
