const { emitWarning } = process;

// Suppress the experimental feature warning that Node.js 22 prints when it loads the module. Every release of this
// package is tested with the module.
process.emitWarning = () => {};
/** Node's SQLite module. */
export const sqlite = process.getBuiltinModule('node:sqlite');
process.emitWarning = emitWarning;
