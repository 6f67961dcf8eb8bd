import { Command } from 'commander';
import check from './check.ts';

/** The `compliance lists` command. */
export default new Command('lists')
  .description('Compare the Section 232 lists with the official HTS.')
  .addCommand(check);
