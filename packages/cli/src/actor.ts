/** Who the audit log names for changes made with this command. */
export const ACTOR = 'command line';
