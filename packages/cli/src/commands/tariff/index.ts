import { Command } from 'commander';
import assess from './assess.ts';
import diff from './diff.ts';
import lists from './lists.ts';

/** The `compliance tariff` command. */
export default new Command('tariff')
  .description('Show the Section 232 lists, and assess duties.')
  .addCommand(assess)
  .addCommand(diff)
  .addCommand(lists);
