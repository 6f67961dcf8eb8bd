import { wireFetch } from './wire-fetch.ts';

// `node --import ./stand-in/preload.ts …`: for an app in a process of its own.
const url = process.env.STAND_IN_URL;
if (!url) throw new Error('STAND_IN_URL is where the stand-in listens.');
wireFetch({ url });
