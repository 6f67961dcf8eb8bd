import { Command } from 'commander';
import issue from './issue.ts';
import list from './list.ts';
import revoke from './revoke.ts';
import rotate from './rotate.ts';
import update from './update.ts';
import usage from './usage.ts';

/** The `compliance keys` command. */
export default new Command('keys')
  .description('Manage API keys.')
  .addCommand(issue)
  .addCommand(rotate)
  .addCommand(revoke)
  .addCommand(update)
  .addCommand(usage)
  .addCommand(list);
