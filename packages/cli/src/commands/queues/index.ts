import { Command } from 'commander';
import failed from './failed.ts';
import list from './list.ts';
import redrive from './redrive.ts';

/** The `compliance queues` command. */
export default new Command('queues')
  .description('Show the service and Shopify app queues, and rerun failed jobs.')
  .addCommand(list)
  .addCommand(failed)
  .addCommand(redrive);
