import { NotFound } from '../screens/not-found/not-found.tsx';

// Without a route for the rest, the router would write the whole address to the console, session token included.
export const loader = () => Response.json(null, { status: 404 });

export default NotFound;
