export { certificateFor } from './certificate.ts';
export { createNetwork, type Network } from './network.ts';
export { pages, redirect } from './pages.ts';
