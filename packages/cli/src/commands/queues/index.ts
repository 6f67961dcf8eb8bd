import { Command } from 'commander';
import failed from './failed.ts';
import list from './list.ts';
import redrive from './redrive.ts';

/** The `compliance queues` command. */
export default new Command('queues')
  .description('Show the queues of the service and the Shopify app, and run failed jobs again.')
  .addCommand(list)
  .addCommand(failed)
  .addCommand(redrive);
