import { Command } from 'commander';
import due from './due.ts';
import find from './find.ts';
import show from './show.ts';
import voidCertificate from './void.ts';

/** The `compliance certificates` command. */
export default new Command('certificates')
  .description('Find, show, and void certificates issued by the service, and list tests that are due.')
  .addCommand(find)
  .addCommand(show)
  .addCommand(due)
  .addCommand(voidCertificate);
