export { certificateFor } from './certificate.ts';
export { createNetwork, type Network } from './network.ts';
export { pages, redirect } from './pages.ts';
export { unlimitedRate } from './unlimited-rate.ts';
