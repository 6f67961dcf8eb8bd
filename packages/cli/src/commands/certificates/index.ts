import { Command } from 'commander';
import find from './find.ts';
import show from './show.ts';
import voidCertificate from './void.ts';

/** The `compliance certificates` command. */
export default new Command('certificates')
  .description('Find, show, and void certificates issued by the service.')
  .addCommand(find)
  .addCommand(show)
  .addCommand(voidCertificate);
