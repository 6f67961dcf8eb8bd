import { Command } from 'commander';
import compose from './compose.ts';
import systemd from './systemd.ts';

/** The `compliance setup` command. */
export default new Command('setup')
  .description('Write the files for a production deployment, including generated secrets.')
  .addCommand(systemd)
  .addCommand(compose);
