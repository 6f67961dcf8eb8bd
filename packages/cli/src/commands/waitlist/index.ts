import { Command } from 'commander';
import approve from './approve.ts';
import decline from './decline.ts';
import list from './list.ts';

/** The `compliance waitlist` command. */
export default new Command('waitlist')
  .description('Manage API key requests submitted at /beta.')
  .addCommand(list)
  .addCommand(approve)
  .addCommand(decline);
