const { emitWarning } = process;

// Suppress the warning that Node.js 22 prints when it loads the module, because this release is tested with the module.
process.emitWarning = () => {};
/** Node's SQLite module. */
export const sqlite = process.getBuiltinModule('node:sqlite');
process.emitWarning = emitWarning;
