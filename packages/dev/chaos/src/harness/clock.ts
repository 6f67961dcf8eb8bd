/**
 * Controls the clock of a service process that loads this module with `--import`. Each SIGUSR2 moves the clock to the
 * next offset in `CLOCK_OFFSETS`, a comma-separated list of offsets in milliseconds.
 */
const offsets = (process.env.CLOCK_OFFSETS ?? '').split(',').map(Number);
const realNow = Date.now;
let offset = 0;
process.on('SIGUSR2', () => {
  offset = offsets.shift() ?? 0;
});
Date.now = () => realNow() + offset;
