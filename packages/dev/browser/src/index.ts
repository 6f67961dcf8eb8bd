export { describeWithBrowser } from './describe-with-browser.ts';
export { axe, inspect } from './inspect.ts';
export { launchBrowser } from './launch.ts';
export { watch } from './watch.ts';
