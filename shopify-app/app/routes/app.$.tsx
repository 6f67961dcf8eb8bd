import { NotFound } from '../screens/not-found/not-found.tsx';

// Without this catch-all route, the router would log the full URL of a missing page, including the session token.
export const loader = () => Response.json(null, { status: 404 });

export default NotFound;
