import { Command } from 'commander';
import importExport from './import.ts';

/** The `compliance hts` command. */
export default new Command('hts')
  .description('Manage the official HTS export that the service uses to check whether codes exist.')
  .addCommand(importExport);
