import { Command } from 'commander';
import cancel from './cancel.ts';
import download from './download.ts';
import list from './list.ts';
import redrive from './redrive.ts';
import run from './run.ts';
import status from './status.ts';
import wait from './wait.ts';

/** The `compliance jobs` command. */
export default new Command('jobs')
  .description('Run a service operation on each row of a file.')
  .addCommand(run)
  .addCommand(list)
  .addCommand(status)
  .addCommand(wait)
  .addCommand(download)
  .addCommand(redrive)
  .addCommand(cancel);
