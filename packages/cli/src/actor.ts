/** Actor that the audit log shows for changes made with the CLI. */
export const ACTOR = 'command line';
