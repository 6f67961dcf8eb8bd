export { describeInBrowser } from './browser.ts';
export { BROWSER_ARGS, routeFakeShopify, USER_AGENT } from './route.ts';
