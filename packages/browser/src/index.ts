export { describeWithBrowser } from './describe-with-browser.ts';
export { inspect } from './inspect.ts';
export { launchBrowser } from './launch.ts';
