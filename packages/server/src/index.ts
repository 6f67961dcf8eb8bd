/**
 * Runs an HTTP server that stops without dropping requests.
 *
 * @module
 */
export { DEFAULT_DRAIN, type DrainOptions, drainServers, firstSignal } from './shutdown/shutdown.ts';
export { type RunningServer, startServer } from './shutdown/start-server.ts';
