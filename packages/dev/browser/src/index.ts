export { describeWithBrowser } from './describe-with-browser.ts';
export { axe, COLOR_RULES, inspect } from './inspect.ts';
export { launchBrowser } from './launch.ts';
export { watch } from './watch.ts';
