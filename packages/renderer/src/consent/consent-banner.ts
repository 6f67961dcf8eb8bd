import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Tab } from '../browser/tab.ts';

/** The consent banner through which the visitor's choice was submitted. */
export interface ConsentBanner {
  /** Name of the banner's rule in autoconsent, such as `onetrust`. */
  readonly name: string;
}

/**
 * Maximum times, in milliseconds: `FIND_MS` for finding a banner on a loaded page, and `CLICK_MS` for clicking through
 * the banner.
 */
const FIND_MS = 4_000;
const CLICK_MS = 8_000;
/** Maximum time that an evaluation waits for autoconsent's next message, in milliseconds. */
const NEXT_MS = 500;
const MAX_URL = 2_048;

/**
 * Declines or accepts tracking in the page's consent banner, using DuckDuckGo's autoconsent. Returns null if the page
 * doesn't show a banner that autoconsent has a rule for, or if the banner doesn't work as the rule describes.
 *
 * Autoconsent runs in an isolated world, so the page can't change its code. Banners in other sites' frames aren't
 * supported.
 *
 * @example await clickConsentBanner(tab, 'deny') // { name: 'onetrust' }
 */
export async function clickConsentBanner(tab: Tab, choice: 'deny' | 'accept'): Promise<ConsentBanner | null> {
  let found: ConsentBanner | null = null;
  try {
    const { script, rules } = await loadAutoconsent();
    const location = String(await tab.evaluate('location.href', 'isolated')).slice(0, MAX_URL);
    await tab.evaluate(`${MAILBOX}\n${script}`, 'isolated');
    const send = (message: object) =>
      tab.evaluate(`void autoconsentReceiveMessage(${JSON.stringify(message)})`, 'isolated');
    let end = performance.now() + FIND_MS;
    while (performance.now() < end) {
      const message = (await tab.evaluate(`complianceNextMessage(${NEXT_MS})`, 'isolated')) as Message | null;
      if (message?.type === 'init')
        await send({
          type: 'initResp',
          rules: { autoconsent: rules.filter(rule => appliesTo(rule, location)) },
          config: { ...CONFIG, autoAction: choice === 'deny' ? 'optOut' : 'optIn' },
        });
      else if (message?.type === 'eval')
        // The code is part of autoconsent. The code reads the banner's variables, which exist only in the page's own
        // world.
        await send({ type: 'evalResp', id: message.id, result: await tab.evaluate(message.code).catch(() => false) });
      else if (message?.type === 'popupFound') {
        found = { name: message.cmp };
        end = performance.now() + CLICK_MS;
      } else if (message?.type === 'optOutResult' || message?.type === 'optInResult')
        return message.result ? found : null;
      else if (message?.type === 'report' && message.state.lifecycle === 'nothingDetected') return null;
    }
    return null;
  } catch {
    // Some banners reload the page after the choice, which ends the isolated world.
    return found;
  }
}

/** The parts of autoconsent's messages that this module uses. */
type Message =
  | { readonly type: 'init' }
  | { readonly type: 'eval'; readonly id: string; readonly code: string }
  | { readonly type: 'popupFound'; readonly cmp: string }
  | { readonly type: 'optOutResult' | 'optInResult'; readonly result: boolean }
  | { readonly type: 'report'; readonly state: { readonly lifecycle: string } };

const CONFIG = {
  ...{ enabled: true, disabledCmps: [], enablePrehide: false, isMainWorld: false },
  // Cosmetic rules hide a banner without making a choice.
  ...{ enableCosmeticRules: false, enableGeneratedRules: true, detectRetries: 1 },
};

/** Script that keeps autoconsent's messages until they're requested. */
const MAILBOX = `(() => {
  const messages = [];
  let waiting = null;
  window.autoconsentSendMessage = async message => {
    messages.push(message);
    if (waiting) waiting();
  };
  window.complianceNextMessage = async ms => {
    if (messages.length === 0) await new Promise(done => { waiting = done; setTimeout(done, ms); });
    waiting = null;
    return messages.shift() || null;
  };
})();`;

/** An autoconsent rule. Rules for specific sites have a pattern for the page's URL. */
interface BannerRule {
  readonly runContext?: { readonly urlPattern?: string };
}

const appliesTo = ({ runContext }: BannerRule, url: string): boolean =>
  runContext?.urlPattern === undefined || new RegExp(runContext.urlPattern).test(url);

let autoconsent: Promise<{ script: string; rules: readonly BannerRule[] }> | undefined;

/** Reads autoconsent's browser script and rules once per process. */
function loadAutoconsent(): NonNullable<typeof autoconsent> {
  autoconsent ??= (async () => {
    const path = createRequire(import.meta.url).resolve('@duckduckgo/autoconsent/rules/rules.json');
    const [script, rules] = await Promise.all([
      // The package doesn't export its browser script.
      readFile(new URL('../dist/autoconsent.playwright.js', `file://${path}`), 'utf8'),
      readFile(path, 'utf8'),
    ]);
    return { script, rules: (JSON.parse(rules) as { autoconsent: readonly BannerRule[] }).autoconsent };
  })();
  return autoconsent;
}
