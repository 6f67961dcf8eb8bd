import { Command } from 'commander';
import check from './check.ts';
import diff from './diff.ts';
import draft from './draft.ts';
import key from './key.ts';
import publish from './publish.ts';
import root from './root.ts';
import update from './update.ts';

/** The `compliance lists` command. */
export default new Command('lists')
  .description('Update the Section 232 lists, publish signed data sets, and compare the lists with the official HTS.')
  .addCommand(update)
  .addCommand(check)
  .addCommand(diff)
  .addCommand(draft)
  .addCommand(key)
  .addCommand(root)
  .addCommand(publish);
